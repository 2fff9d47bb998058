// node_modules/svelte/src/internal/shared/utils.js
var e = Array.isArray, t = Array.prototype.indexOf, n = Array.prototype.includes, r = Array.from, i = Object.defineProperty, a = Object.getOwnPropertyDescriptor, o = Object.getOwnPropertyDescriptors, s = Object.prototype, c = Array.prototype, l = Object.getPrototypeOf, u = Object.isExtensible, d = () => {};
function f(e) {
	return e();
}
function p(e) {
	for (var t = 0; t < e.length; t++) e[t]();
}
function m() {
	var e, t;
	return {
		promise: new Promise((n, r) => {
			e = n, t = r;
		}),
		resolve: e,
		reject: t
	};
}
function h(e, t) {
	if (Array.isArray(e)) return e;
	if (t === void 0 || !(Symbol.iterator in e)) return Array.from(e);
	let n = [];
	for (let r of e) if (n.push(r), n.length === t) break;
	return n;
}
// node_modules/svelte/src/internal/client/constants.js
var g = 1 << 24, _ = 1024, v = 2048, y = 4096, b = 8192, x = 16384, S = 32768, C = 1 << 25, w = 65536, ee = 1 << 19, te = 1 << 20, ne = 1 << 25, re = 1 << 21, ie = 1 << 22, ae = 1 << 23, oe = Symbol("$state"), se = Symbol("component"), ce = Symbol("legacy props"), le = Symbol(""), ue = Symbol("attributes"), de = Symbol("class"), fe = Symbol("style"), pe = Symbol("text"), me = Symbol("form reset"), he = new class extends Error {
	name = "StaleReactionError";
	message = "The reaction that called `getAbortSignal()` was re-run or destroyed";
}(), ge = !!globalThis.document?.contentType && /* @__PURE__ */ globalThis.document.contentType.includes("xml"), _e = {}, T = Symbol("uninitialized"), ve = "http://www.w3.org/1999/xhtml";
function ye() {
	console.warn("https://svelte.dev/e/derived_inert");
}
function be(e) {
	console.warn("https://svelte.dev/e/hydration_mismatch");
}
function xe() {
	console.warn("https://svelte.dev/e/select_multiple_invalid_value");
}
function Se() {
	console.warn("https://svelte.dev/e/svelte_boundary_reset_noop");
}
// node_modules/svelte/src/internal/client/dom/hydration.js
var E = !1;
function Ce(e) {
	E = e;
}
var D;
function we(e) {
	if (e === null) throw be(), _e;
	return D = e;
}
function Te() {
	return we(/* @__PURE__ */ cn(D));
}
function O(e) {
	if (E) {
		if (/* @__PURE__ */ cn(D) !== null) throw be(), _e;
		D = e;
	}
}
function Ee(e = 1) {
	if (E) {
		for (var t = e, n = D; t--;) n = /* @__PURE__ */ cn(n);
		D = n;
	}
}
function De(e = !0) {
	for (var t = 0, n = D;;) {
		if (n.nodeType === 8) {
			var r = n.data;
			if (r === "]") {
				if (t === 0) return n;
				--t;
			} else (r === "[" || r === "[!" || r[0] === "[" && !isNaN(Number(r.slice(1)))) && (t += 1);
		}
		var i = /* @__PURE__ */ cn(n);
		e && n.remove(), n = i;
	}
}
function Oe(e) {
	if (!e || e.nodeType !== 8) throw be(), _e;
	return e.data;
}
// node_modules/svelte/src/internal/client/reactivity/equality.js
function ke(e) {
	return e === this.v;
}
function Ae(e, t) {
	return e == e ? e !== t || typeof e == "object" && !!e || typeof e == "function" : t == t;
}
function je(e) {
	return !Ae(e, this.v);
}
function Me(e) {
	throw Error("https://svelte.dev/e/lifecycle_outside_component");
}
// node_modules/svelte/src/internal/client/errors.js
function Ne() {
	throw Error("https://svelte.dev/e/async_derived_orphan");
}
function Pe(e, t, n) {
	throw Error("https://svelte.dev/e/each_key_duplicate");
}
function Fe(e) {
	throw Error("https://svelte.dev/e/effect_in_teardown");
}
function Ie() {
	throw Error("https://svelte.dev/e/effect_in_unowned_derived");
}
function Le(e) {
	throw Error("https://svelte.dev/e/effect_orphan");
}
function Re() {
	throw Error("https://svelte.dev/e/effect_update_depth_exceeded");
}
function ze(e) {
	throw Error("https://svelte.dev/e/props_invalid_value");
}
function Be() {
	throw Error("https://svelte.dev/e/state_descriptors_fixed");
}
function Ve() {
	throw Error("https://svelte.dev/e/state_prototype_fixed");
}
function He() {
	throw Error("https://svelte.dev/e/state_unsafe_mutation");
}
function Ue() {
	throw Error("https://svelte.dev/e/svelte_boundary_reset_onerror");
}
// node_modules/svelte/src/internal/flags/index.js
var We = !1;
function Ge() {
	We = !0;
}
// node_modules/svelte/src/internal/shared/context.js
function Ke(e) {
	let t = e.p;
	for (; t !== null && t.c === null;) t = t.p;
	return t?.c ?? null;
}
function qe(e, t) {
	return e === null && Me(t), e.c ??= new Map(Ke(e) || void 0);
}
// node_modules/svelte/src/internal/client/context.js
var k = null;
function Je(e) {
	k = e;
}
function A(e) {
	return qe(k, "getContext").get(e);
}
function Ye(e, t) {
	return qe(k, "setContext").set(e, t), t;
}
function j(e, t = !1, n) {
	k = {
		p: k,
		i: !1,
		c: null,
		e: null,
		s: e,
		x: null,
		r: U,
		l: We && !t ? {
			s: null,
			u: null,
			$: []
		} : null
	};
}
function M(e) {
	var t = k, n = t.e;
	if (n !== null) {
		t.e = null;
		for (var r of n) xn(r);
	}
	return e !== void 0 && (t.x = e), t.i = !0, k = t.p, Xe(e);
}
function Xe(e = {}) {
	return i(e, se, { value: !0 }), e;
}
function Ze() {
	return !We || k !== null && k.l === null;
}
// node_modules/svelte/src/internal/client/dom/task.js
var Qe = [];
function $e() {
	var e = Qe;
	Qe = [], p(e);
}
function et(e) {
	if (Qe.length === 0 && !Et) {
		var t = Qe;
		queueMicrotask(() => {
			t === Qe && $e();
		});
	}
	Qe.push(e);
}
function tt() {
	for (; Qe.length > 0;) $e();
}
// node_modules/svelte/src/internal/client/reactivity/status.js
var nt = ~(v | y | _);
function rt(e, t) {
	e.f = e.f & nt | t;
}
function it(e) {
	e.f & 512 || e.deps === null ? rt(e, _) : rt(e, y);
}
// node_modules/svelte/src/internal/client/reactivity/utils.js
function at(e, t) {
	e.f & 2048 ? t.set(e, v) : e.f & 4096 && t.get(e) !== 2048 && t.set(e, y), rt(e, _);
}
// node_modules/svelte/src/internal/client/dom/elements/misc.js
var ot = !1;
function st() {
	ot || (ot = !0, document.addEventListener("reset", (e) => {
		Promise.resolve().then(() => {
			if (!e.defaultPrevented) for (let t of e.target.elements) t[me]?.();
		});
	}, { capture: !0 }));
}
// node_modules/svelte/src/internal/client/dom/elements/bindings/shared.js
function ct(e) {
	var t = H, n = U;
	Gn(null), Kn(null);
	try {
		return e();
	} finally {
		Gn(t), Kn(n);
	}
}
// node_modules/svelte/src/internal/client/reactivity/async.js
function lt(e, t, n, r) {
	let i = Ze() ? pt : gt;
	var a = e.filter((e) => !e.settled), o = t.map(i);
	if (n.length === 0 && a.length === 0) {
		r(o);
		return;
	}
	var s = U, c = ut(), l = a.length === 1 ? a[0].promise : a.length > 1 ? Promise.all(a.map((e) => e.promise)) : null;
	function u(e) {
		if (!(s.f & 16384)) {
			c();
			try {
				r([...o, ...e]);
			} catch (e) {
				mn(e, s);
			}
			dt();
		}
	}
	var d = ft();
	if (n.length === 0) {
		l.then(() => u([])).finally(d);
		return;
	}
	function f() {
		Promise.all(n.map((e) => /* @__PURE__ */ ht(e))).then(u).catch((e) => mn(e, s)).finally(d);
	}
	l ? l.then(() => {
		s.f & 16384 ? d() : (c(), f(), dt());
	}) : f();
}
function ut() {
	var e = U, t = H, n = k, r = P;
	return function(i = !0) {
		Kn(e), Gn(t), Je(n), i && !(e.f & 16384) && (r?.activate(), r?.apply());
	};
}
function dt(e = !0) {
	Kn(null), Gn(null), Je(null), e && P?.deactivate();
}
function ft() {
	var e = U, t = e.b, n = P, r = !!t?.is_rendered();
	return t?.update_pending_count(1, n), n.increment(r, e), () => {
		t?.update_pending_count(-1, n), n.decrement(r, e);
	};
}
/*#__NO_SIDE_EFFECTS__*/
function pt(e) {
	var t = 2 | v;
	return U !== null && (U.f |= ee), {
		ctx: k,
		deps: null,
		effects: null,
		equals: ke,
		f: t,
		fn: e,
		reactions: null,
		rv: 0,
		v: T,
		wv: 0,
		parent: U,
		ac: null
	};
}
var mt = Symbol("obsolete");
/*#__NO_SIDE_EFFECTS__*/
function ht(e, t, n) {
	let r = U;
	r === null && Ne();
	var i = void 0, a = Ut(T), o = !H, s = /* @__PURE__ */ new Set();
	return Tn(() => {
		var t = U, n = m();
		i = n.promise;
		try {
			Promise.resolve(e()).then(n.resolve, (e) => {
				e !== he && n.reject(e);
			}).finally(dt);
		} catch (e) {
			n.reject(e), dt();
		}
		var c = P;
		if (o) {
			if (t.f & 32768) var l = ft();
			if (r.b?.is_rendered()) c.async_deriveds.get(t)?.reject(mt);
			else for (let e of s.values()) e.reject(mt);
			s.add(n), c.async_deriveds.set(t, n);
		}
		let u = (e, t = void 0) => {
			l?.(), s.delete(n), t !== mt && (c.activate(), t ? (a.f |= ae, qt(a, t)) : (a.f & 8388608 && (a.f ^= ae), qt(a, e)), c.deactivate());
		};
		n.promise.then(u, (e) => u(null, e || "unknown"));
	}), yn(() => {
		for (let e of s) e.reject(mt);
	}), new Promise((e) => {
		function t(n) {
			function r() {
				n === i ? e(a) : t(i);
			}
			n.then(r, r);
		}
		t(i);
	});
}
/*#__NO_SIDE_EFFECTS__*/
function N(e) {
	let t = /* @__PURE__ */ pt(e);
	return Jn(t), t;
}
/*#__NO_SIDE_EFFECTS__*/
function gt(e) {
	let t = /* @__PURE__ */ pt(e);
	return t.equals = je, t;
}
function _t(e) {
	var t = e.effects;
	if (t !== null) {
		e.effects = null;
		for (var n = 0; n < t.length; n += 1) Nn(t[n]);
	}
}
function vt(e) {
	var t, n = U, r = e.parent;
	if (!Hn && r !== null && e.v !== T && r.f & 24576) return ye(), e.v;
	Kn(r);
	try {
		_t(e), t = or(e);
	} finally {
		Kn(n);
	}
	return t;
}
function yt(e) {
	var t = vt(e);
	!e.equals(t) && (e.wv = rr(), (!P?.is_fork || e.deps === null) && (P === null ? e.v = t : (P.capture(e, t, !0), Ct?.capture(e, t, !0)), e.deps === null)) ? rt(e, _) : Hn || (wt === null ? it(e) : (vn() || P?.is_fork) && wt.set(e, t));
}
function bt(e) {
	if (e.effects !== null) for (let t of e.effects) (t.teardown || t.ac) && (t.teardown?.(), t.ac !== null && ct(() => {
		t.ac.abort(he), t.ac = null;
	}), t.fn !== null && (t.teardown = d), lr(t, 0), jn(t));
}
function xt(e) {
	if (e.effects !== null) for (let t of e.effects) t.teardown && t.fn !== null && ur(t);
}
// node_modules/svelte/src/internal/client/reactivity/batch.js
var St = null, P = null, Ct = null, wt = null, Tt = null, Et = !1, Dt = !1, Ot = null, kt = null, At = 0, jt = 1, Mt = class e {
	id = jt++;
	started = !1;
	linked = !0;
	prev = null;
	next = null;
	async_deriveds = /* @__PURE__ */ new Map();
	current = /* @__PURE__ */ new Map();
	previous = /* @__PURE__ */ new Map();
	#e = /* @__PURE__ */ new Set();
	#t = /* @__PURE__ */ new Set();
	#n = 0;
	#r = /* @__PURE__ */ new Map();
	#i = null;
	#a = [];
	#o = [];
	#s = /* @__PURE__ */ new Map();
	#c = /* @__PURE__ */ new Map();
	#l = /* @__PURE__ */ new Set();
	is_fork = !1;
	#u = !1;
	constructor() {
		St === null ? St = this : (St.next = this, this.prev = St), St = this;
	}
	#d() {
		if (this.is_fork) return !0;
		for (let e of this.#r.keys()) if (!this.#f(e)) return !0;
		return !1;
	}
	#f(e) {
		for (var t = e; t !== null; t = t.parent) if (this.#c.has(t)) return !0;
		return !1;
	}
	skip_effect(e) {
		this.#c.has(e) || this.#c.set(e, {
			d: [],
			m: []
		}), this.#l.delete(e);
	}
	unskip_effect(e, t = (e) => this.schedule(e)) {
		var n = this.#c.get(e);
		if (n) {
			this.#c.delete(e);
			for (var r of n.d) rt(r, v), t(r);
			for (r of n.m) rt(r, y), t(r);
		}
		this.#l.add(e);
	}
	#p() {
		var e = [];
		for (let i of this.#a) if (!(i.f & 16384 || !(i.f & 6144))) {
			for (var t = i, n = !1; t.parent !== null;) {
				t = t.parent;
				var r = t.f;
				if (r & 96) {
					if (!(r & 1024)) {
						n = !0;
						break;
					}
					t.f ^= _;
				}
			}
			n || e.push(t);
		}
		return this.#a = [], e;
	}
	#m() {
		this.started = !0;
		for (let [e, t] of this.#s) rt(e, t), this.schedule(e);
		this.apply();
		for (var t = Ot = [], n = [], r = kt = []; this.#a.length > 0;) {
			At++ > 1e3 && (this.#b(), Pt());
			for (let e of this.#p()) try {
				this.#h(e, t, n);
			} catch (t) {
				throw zt(e), this.#d() || this.discard(), t;
			}
		}
		if (P = null, r.length > 0) {
			var i = e.ensure();
			for (let e of r) i.schedule(e);
		}
		if (Ot = null, kt = null, this.#d()) {
			this.#y(n), this.#y(t);
			for (let [e, t] of this.#c) Rt(e, t);
			r.length > 0 && P.#m();
			return;
		}
		let a = this.#g();
		if (a) this.#y(n), this.#y(t), a.#v(this);
		else {
			this.#s.clear();
			for (let e of this.#e) e(this);
			this.#e.clear(), Ct = this, It(n), It(t), Ct = null, this.#i?.resolve();
			var o = P;
			this.#n === 0 && (this.#a.length === 0 || o !== null) && this.#b(), o !== null && (Vt.clear(), o.#m());
		}
	}
	#h(e, t, n) {
		e.f ^= _;
		for (var r = e.first; r !== null;) {
			var i = r.f, a = !!(i & 96);
			if (!(a && i & 1024 || i & 8192 || this.#c.has(r)) && r.fn !== null) {
				a ? r.f ^= _ : i & 4 ? t.push(r) : ir(r) && (i & 16 && this.add_dirty_reaction(r, y), ur(r));
				var o = r.first;
				if (o !== null) {
					r = o;
					continue;
				}
			}
			for (; r !== null;) {
				var s = r.next;
				if (s !== null) {
					r = s;
					break;
				}
				r = r.parent;
			}
		}
	}
	#g() {
		for (var e = this.prev; e !== null; e = e.prev) if (!e.is_fork && this.#_(e)) return e;
		return null;
	}
	#_(e) {
		for (let [t, [, n]] of this.current) if (!n && e.current.has(t)) return !0;
		return !1;
	}
	#v(e) {
		for (let [t, n] of e.current) !this.previous.has(t) && e.previous.has(t) && this.previous.set(t, e.previous.get(t)), this.current.set(t, n);
		for (let [t, n] of e.async_deriveds) {
			let e = this.async_deriveds.get(t);
			e && n.promise.then(e.resolve).catch(e.reject);
		}
		e.async_deriveds.clear(), this.transfer_reactions(e.#s);
		let t = (e) => {
			var n = e.reactions;
			if (n !== null && !(e.f & 2 && !(e.f & 6144))) for (let e of n) {
				var r = e.f;
				if (r & 2) t(e);
				else {
					var i = e;
					r & 4194320 && !this.async_deriveds.has(i) && (this.#s.delete(i), rt(i, v), this.schedule(i));
				}
			}
		};
		for (let e of this.current.keys()) t(e);
		this.oncommit(() => e.discard()), e.#b(), P = this, this.#m();
	}
	#y(e) {
		for (var t = 0; t < e.length; t += 1) at(e[t], this.#s);
	}
	capture(e, t, n = !1) {
		e.v !== T && !this.previous.has(e) && this.previous.set(e, e.v), e.f & 8388608 || (this.current.set(e, [t, n]), wt?.set(e, t)), this.is_fork || (e.v = t);
	}
	activate() {
		P = this;
	}
	deactivate() {
		P = null, wt = null;
	}
	flush() {
		try {
			Dt = !0, P = this, this.#m();
		} finally {
			At = 0, Tt = null, Ot = null, kt = null, Dt = !1, P = null, wt = null, Vt.clear();
		}
	}
	discard() {
		for (let e of this.#t) e(this);
		this.#t.clear();
		for (let e of this.async_deriveds.values()) e.reject(mt);
		this.#b(), this.#i?.resolve();
	}
	register_created_effect(e) {
		this.#o.push(e);
	}
	increment(e, t) {
		if (this.#n += 1, e) {
			let e = this.#r.get(t) ?? 0;
			this.#r.set(t, e + 1);
		}
	}
	decrement(e, t) {
		if (--this.#n, e) {
			let e = this.#r.get(t) ?? 0;
			e === 1 ? this.#r.delete(t) : this.#r.set(t, e - 1);
		}
		this.#u || (this.#u = !0, et(() => {
			this.#u = !1, this.linked && this.flush();
		}));
	}
	transfer_reactions(e) {
		for (let [t, n] of e) this.add_dirty_reaction(t, n);
		e.clear();
	}
	add_dirty_reaction(e, t) {
		(t === 2048 || this.#s.get(e) !== 2048) && this.#s.set(e, t);
	}
	oncommit(e) {
		this.#e.add(e);
	}
	ondiscard(e) {
		this.#t.add(e);
	}
	settled() {
		return (this.#i ??= m()).promise;
	}
	static ensure() {
		if (P === null) {
			let t = P = new e();
			!Dt && !Et && et(() => {
				t.started || t.flush();
			});
		}
		return P;
	}
	apply() {
		wt = null;
	}
	schedule(e) {
		Tt = e, e.b?.is_pending && e.f & 16777228 && !(e.f & 32768) ? e.b.defer_effect(e) : this.#a.push(e);
	}
	#b() {
		if (this.linked) {
			var e = this.prev, t = this.next;
			e === null || (e.next = t), t === null ? St = e : t.prev = e, this.linked = !1;
		}
	}
};
function Nt(e) {
	var t = Et, n = Ct;
	Ct = null, Et = !0;
	try {
		var r;
		for (e && (Nt(), r = e());;) {
			if (tt(), P === null) return r;
			P.flush();
		}
	} finally {
		Et = t, Ct = n;
	}
}
function Pt() {
	try {
		Re();
	} catch (e) {
		mn(e, Tt);
	}
}
var Ft = null;
function It(e) {
	var t = e.length;
	if (t !== 0) {
		for (var n = 0; n < t;) {
			var r = e[n++];
			if (!(r.f & 24576) && ir(r) && (Ft = /* @__PURE__ */ new Set(), ur(r), r.deps === null && r.first === null && r.nodes === null && r.teardown === null && r.ac === null && Fn(r), Ft?.size > 0)) {
				Vt.clear();
				for (let e of Ft) {
					if (e.f & 24576) continue;
					let t = [e], n = e.parent;
					for (; n !== null;) Ft.has(n) && (Ft.delete(n), t.push(n)), n = n.parent;
					for (let e = t.length - 1; e >= 0; e--) {
						let n = t[e];
						n.f & 24576 || ur(n);
					}
				}
				Ft.clear();
			}
		}
		Ft = null;
	}
}
function Lt(e) {
	P.schedule(e);
}
function Rt(e, t) {
	if (!(e.f & 32 && e.f & 1024)) {
		e.f & 2048 ? t.d.push(e) : e.f & 4096 && t.m.push(e), rt(e, _);
		for (var n = e.first; n !== null;) Rt(n, t), n = n.next;
	}
}
function zt(e) {
	rt(e, _);
	for (var t = e.first; t !== null;) zt(t), t = t.next;
}
// node_modules/svelte/src/internal/client/reactivity/sources.js
var Bt = /* @__PURE__ */ new Set(), Vt = /* @__PURE__ */ new Map(), Ht = !1;
function Ut(e, t) {
	return {
		f: 0,
		v: e,
		reactions: null,
		equals: ke,
		rv: 0,
		wv: 0
	};
}
/*#__NO_SIDE_EFFECTS__*/
function F(e, t) {
	let n = Ut(e, t);
	return Jn(n), n;
}
/*#__NO_SIDE_EFFECTS__*/
function Wt(e, t = !1, n = !0) {
	let r = Ut(e);
	return t || (r.equals = je), We && n && k !== null && k.l !== null && (k.l.s ??= []).push(r), r;
}
function I(e, t, n = !1) {
	return H !== null && (!Wn || H.f & 131072) && Ze() && H.f & 4325394 && (qn === null || !qn.has(e)) && He(), qt(e, n ? Zt(t) : t, kt);
}
var Gt = null, Kt = 0;
function qt(e, t, n = null) {
	if (!e.equals(t)) {
		Hn ? Vt.set(e, t) : Vt.has(e) || Vt.set(e, e.v);
		var r = Mt.ensure();
		if (r.capture(e, t), e.f & 2) {
			let t = e;
			e.f & 2048 && vt(t), wt === null && it(t);
		}
		e.wv = rr(), Gt = null, Kt = 0, Xt(e, v, n), Gt = null, Ze() && U !== null && U.f & 1024 && !(U.f & 96) && (Zn === null ? Qn([e]) : Zn.push(e)), !r.is_fork && Bt.size > 0 && !Ht && Jt();
	}
	return t;
}
function Jt() {
	Ht = !1;
	for (let e of Bt) {
		e.f & 1024 && rt(e, y);
		let t;
		try {
			t = ir(e);
		} catch {
			t = !0;
		}
		t && ur(e);
	}
	Bt.clear();
}
function Yt(e) {
	I(e, e.v + 1);
}
function Xt(e, t, n) {
	var r = e.reactions;
	if (r !== null) {
		var i = Ze(), a = r.length;
		if (Kt += a, Kt > 1e5 && Gt === null && (Gt = /* @__PURE__ */ new Set()), Gt !== null) {
			if (Gt.has(e)) return;
			Gt.add(e);
		}
		for (var o = 0; o < a; o++) {
			var s = r[o], c = s.f;
			if (i || s !== U) {
				var l = (c & v) === 0;
				if (l && rt(s, t), c & 131072) Bt.add(s);
				else if (c & 2) {
					var u = s;
					wt?.delete(u), Xt(u, y, n);
				} else if (l) {
					var d = s;
					c & 16 && Ft !== null && Ft.add(d), n === null ? Lt(d) : n.push(d);
				}
			}
		}
	}
}
function Zt(t) {
	if (typeof t != "object" || !t || oe in t || se in t) return t;
	let n = l(t);
	if (n !== s && n !== c) return t;
	var r = /* @__PURE__ */ new Map(), i = e(t), o = /* @__PURE__ */ F(0), u = null, d = tr, f = (e) => {
		if (tr === d) return e();
		var t = H, n = tr;
		Gn(null), nr(d);
		var r = e();
		return Gn(t), nr(n), r;
	};
	return i && r.set("length", /* @__PURE__ */ F(t.length, u)), new Proxy(t, {
		defineProperty(e, t, n) {
			"value" in n && n.configurable !== !1 && n.enumerable !== !1 && n.writable !== !1 || Be();
			var i = r.get(t);
			return i === void 0 ? f(() => {
				var e = /* @__PURE__ */ F(n.value, u);
				return r.set(t, e), e;
			}) : I(i, n.value, !0), !0;
		},
		deleteProperty(e, t) {
			var n = r.get(t);
			if (n === void 0) {
				if (t in e) {
					let e = f(() => /* @__PURE__ */ F(T, u));
					r.set(t, e), Yt(o);
				}
			} else I(n, T), Yt(o);
			return !0;
		},
		get(e, n, i) {
			if (n === oe) return t;
			var o = r.get(n), s = n in e;
			if (o === void 0 && (!s || a(e, n)?.writable) && (o = f(() => /* @__PURE__ */ F(Zt(s ? e[n] : T), u)), r.set(n, o)), o !== void 0) {
				var c = W(o);
				return c === T ? void 0 : c;
			}
			return Reflect.get(e, n, i);
		},
		getOwnPropertyDescriptor(e, t) {
			this.has?.(e, t);
			var n = Reflect.getOwnPropertyDescriptor(e, t), i = r.get(t);
			if (i !== void 0) {
				var a = W(i);
				if (a === T) return;
				if (n && "value" in n) n.value = a;
				else return {
					enumerable: !0,
					configurable: !0,
					value: a,
					writable: !0
				};
			}
			return n;
		},
		has(e, t) {
			if (t === oe) return !0;
			var n = r.get(t), i = n !== void 0 && n.v !== T || Reflect.has(e, t);
			return (n !== void 0 || (U !== null || H !== null) && (!i || a(e, t)?.writable)) && (n === void 0 && (n = f(() => /* @__PURE__ */ F(i ? Zt(e[t]) : T, u)), r.set(t, n)), W(n) === T) ? !1 : i;
		},
		set(e, t, n, s) {
			var c = r.get(t), l = t in e;
			if (i && t === "length") for (var d = n; d < c.v; d += 1) {
				var p = r.get(d + "");
				p === void 0 ? d in e && (p = f(() => /* @__PURE__ */ F(T, u)), r.set(d + "", p)) : I(p, T);
			}
			if (c === void 0) (!l || a(e, t)?.writable) && (c = f(() => /* @__PURE__ */ F(void 0, u)), I(c, Zt(n)), r.set(t, c));
			else {
				l = c.v !== T;
				var m = f(() => Zt(n));
				I(c, m);
			}
			var h = Reflect.getOwnPropertyDescriptor(e, t);
			if (h?.set && h.set.call(s, n), !l) {
				if (i && typeof t == "string") {
					var g = r.get("length"), _ = Number(t);
					Number.isInteger(_) && _ >= g.v && I(g, _ + 1);
				}
				Yt(o);
			}
			return !0;
		},
		ownKeys(e) {
			W(o);
			var t = Reflect.ownKeys(e).filter((e) => {
				var t = r.get(e);
				return t === void 0 || t.v !== T;
			});
			for (var [n, i] of r) i.v !== T && !(n in e) && t.push(n);
			return t;
		},
		setPrototypeOf() {
			Ve();
		}
	});
}
function Qt(e) {
	try {
		if (typeof e == "object" && e && oe in e) return e[oe];
	} catch {}
	return e;
}
function $t(e, t) {
	return Object.is(Qt(e), Qt(t));
}
var en, tn, nn, rn;
function an() {
	if (en === void 0) {
		en = window, tn = /Firefox/.test(navigator.userAgent);
		var e = Element.prototype, t = Node.prototype, n = Text.prototype;
		nn = a(t, "firstChild").get, rn = a(t, "nextSibling").get, u(e) && (e[de] = void 0, e[ue] = null, e[fe] = void 0, e.__e = void 0), u(n) && (n[pe] = void 0);
	}
}
function on(e = "") {
	return document.createTextNode(e);
}
/*@__NO_SIDE_EFFECTS__*/
function sn(e) {
	return nn.call(e);
}
/*@__NO_SIDE_EFFECTS__*/
function cn(e) {
	return rn.call(e);
}
function L(e, t) {
	if (!E) return /* @__PURE__ */ sn(e);
	var n = /* @__PURE__ */ sn(D);
	if (n === null) n = D.appendChild(on());
	else if (t && n.nodeType !== 3) {
		var r = on();
		return n?.before(r), we(r), r;
	}
	return t && fn(n), we(n), n;
}
function R(e, t = !1) {
	if (!E) {
		var n = /* @__PURE__ */ sn(e);
		return n instanceof Comment && n.data === "" ? /* @__PURE__ */ cn(n) : n;
	}
	if (t) {
		if (D?.nodeType !== 3) {
			var r = on();
			return D?.before(r), we(r), r;
		}
		fn(D);
	}
	return D;
}
function z(e, t = !1) {
	if (!E) return /* @__PURE__ */ sn(e);
	var n = L(e, t);
	return O(e), n;
}
function B(e, t = 1, n = !1) {
	let r = E ? D : e;
	for (var i; t--;) i = r, r = /* @__PURE__ */ cn(r);
	if (!E) return r;
	if (n) {
		if (r?.nodeType !== 3) {
			var a = on();
			return r === null ? i?.after(a) : r.before(a), we(a), a;
		}
		fn(r);
	}
	return we(r), r;
}
function ln(e) {
	e.textContent = "";
}
function un() {
	return !1;
}
function dn(e, t, n) {
	return t == null || t === "http://www.w3.org/1999/xhtml" ? n ? document.createElement(e, { is: n }) : document.createElement(e) : n ? document.createElementNS(t, e, { is: n }) : document.createElementNS(t, e);
}
function fn(e) {
	if (e.nodeValue.length < 65536) return;
	let t = e.nextSibling;
	for (; t !== null && t.nodeType === 3;) t.remove(), e.nodeValue += t.nodeValue, t = e.nextSibling;
}
function pn(e) {
	var t = U;
	if (t === null) return H.f |= ae, e;
	if (!(t.f & 32768) && !(t.f & 4)) throw e;
	mn(e, t);
}
function mn(e, t) {
	if (e === _e) throw e;
	if (!(t !== null && t.f & 16384)) {
		for (; t !== null;) {
			if (t.f & 128 && !(t.f & 33570816)) {
				if (!(t.f & 32768)) throw e;
				try {
					t.b.error(e);
					return;
				} catch (t) {
					e = t;
				}
			}
			t = t.parent;
		}
		throw e;
	}
}
// node_modules/svelte/src/internal/client/reactivity/effects.js
function hn(e) {
	U === null && (H === null && Le(e), Ie()), Hn && Fe(e);
}
function gn(e, t) {
	var n = t.last;
	n === null ? t.last = t.first = e : (n.next = e, e.prev = n, t.last = e);
}
function _n(e, t) {
	var n = U;
	n !== null && n.f & 8192 && (e |= b);
	var r = {
		ctx: k,
		deps: null,
		nodes: null,
		f: e | v | 512,
		first: null,
		fn: t,
		last: null,
		next: null,
		parent: n,
		b: n && n.b,
		prev: null,
		teardown: null,
		wv: 0,
		ac: null
	};
	P?.register_created_effect(r);
	var i = r;
	if (e & 4) Ot === null ? Mt.ensure().schedule(r) : Ot.push(r);
	else if (t !== null) {
		try {
			ur(r);
		} catch (e) {
			throw Nn(r), e;
		}
		i.deps === null && i.teardown === null && i.nodes === null && i.first === i.last && !(i.f & 524288) && (i = i.first, e & 16 && e & 65536 && i !== null && (i.f |= w));
	}
	if (i !== null && (i.parent = n, n !== null && gn(i, n), H !== null && H.f & 2 && !(e & 64))) {
		var a = H;
		(a.effects ??= []).push(i);
	}
	return r;
}
function vn() {
	return H !== null && !Wn;
}
function yn(e) {
	let t = _n(8, null);
	return rt(t, _), t.teardown = e, t;
}
function bn(e) {
	hn("$effect");
	var t = U.f;
	if (!H && t & 32 && k !== null && !k.i) {
		var n = k;
		(n.e ??= []).push(e);
	} else return xn(e);
}
function xn(e) {
	return _n(4 | te, e);
}
function Sn(e) {
	return hn("$effect.pre"), _n(8 | te, e);
}
function Cn(e) {
	Mt.ensure();
	let t = _n(64 | ee, e);
	return (e = {}) => new Promise((n) => {
		e.outro ? In(t, () => {
			Nn(t), n(void 0);
		}) : (Nn(t), n(void 0));
	});
}
function wn(e) {
	return _n(4, e);
}
function Tn(e) {
	return _n(ie | ee, e);
}
function En(e, t = 0) {
	return _n(8 | t, e);
}
function V(e, t = [], n = [], r = []) {
	lt(r, t, n, (t) => {
		_n(8, () => {
			e(...t.map(W));
		});
	});
}
function Dn(e, t = 0) {
	return _n(16 | t, e);
}
function On(e, t = 0) {
	return _n(g | t, e);
}
function kn(e) {
	return _n(32 | ee, e);
}
function An(e) {
	var t = e.teardown;
	if (t !== null) {
		let n = Hn, r = H;
		Un(!0), Gn(null);
		try {
			t.call(null);
		} catch (t) {
			mn(t, e.parent);
		} finally {
			Un(n), Gn(r);
		}
	}
}
function jn(e, t = !1) {
	var n = e.first;
	for (e.first = e.last = null; n !== null;) {
		let e = n.ac;
		e !== null && ct(() => {
			e.abort(he);
		});
		var r = n.next;
		n.f & 64 ? n.parent = null : Nn(n, t), n = r;
	}
}
function Mn(e) {
	for (var t = e.first; t !== null;) {
		var n = t.next;
		t.f & 32 || Nn(t), t = n;
	}
}
function Nn(e, t = !0) {
	var n = !1;
	(t || e.f & 262144) && e.nodes !== null && e.nodes.end !== null && (Pn(e.nodes.start, e.nodes.end), n = !0), e.f |= C, jn(e, t && !n), lr(e, 0);
	var r = e.nodes && e.nodes.t;
	if (r !== null) for (let e of r) e.stop();
	An(e), e.f ^= C, e.f |= x;
	var i = e.parent;
	i !== null && i.first !== null && Fn(e), e.next = e.prev = e.teardown = e.ctx = e.deps = e.fn = e.nodes = e.ac = e.b = null;
}
function Pn(e, t) {
	for (; e !== null;) {
		var n = e === t ? null : /* @__PURE__ */ cn(e);
		e.remove(), e = n;
	}
}
function Fn(e) {
	var t = e.parent, n = e.prev, r = e.next;
	n !== null && (n.next = r), r !== null && (r.prev = n), t !== null && (t.first === e && (t.first = r), t.last === e && (t.last = n));
}
function In(e, t, n = !0) {
	var r = [];
	e.f |= 256, Ln(e, r, !0);
	var i = () => {
		n && Nn(e), t && t();
	}, a = r.length;
	if (a > 0) {
		var o = () => --a || i();
		for (var s of r) s.out(o);
	} else i();
}
function Ln(e, t, n) {
	if (!(e.f & 8192)) {
		e.f ^= b;
		var r = e.nodes && e.nodes.t;
		if (r !== null) for (let e of r) (e.is_global || n) && t.push(e);
		for (var i = e.first; i !== null;) {
			var a = i.next;
			if (!(i.f & 64)) {
				var o = !!(i.f & 65536) || !!(i.f & 32) && !!(e.f & 16);
				Ln(i, t, o ? n : !1);
			}
			i = a;
		}
	}
}
function Rn(e) {
	e.f &= -257, zn(e, !0);
}
function zn(e, t) {
	if (!(e.f & 256) && e.f & 8192) {
		e.f ^= b, e.f & 1024 || (rt(e, v), Mt.ensure().schedule(e));
		for (var n = e.first; n !== null;) {
			var r = n.next, i = !!(n.f & 65536) || !!(n.f & 32);
			zn(n, i ? t : !1), n = r;
		}
		var a = e.nodes && e.nodes.t;
		if (a !== null) for (let e of a) (e.is_global || t) && e.in();
	}
}
function Bn(e, t) {
	if (e.nodes) for (var n = e.nodes.start, r = e.nodes.end; n !== null;) {
		var i = n === r ? null : /* @__PURE__ */ cn(n);
		t.append(n), n = i;
	}
}
// node_modules/svelte/src/internal/client/legacy.js
var Vn = null, Hn = !1;
function Un(e) {
	Hn = e;
}
var H = null, Wn = !1;
function Gn(e) {
	H = e;
}
var U = null;
function Kn(e) {
	U = e;
}
var qn = null;
function Jn(e) {
	H !== null && (H.f & 2097152 || H.f & 2) && (qn ??= /* @__PURE__ */ new Set()).add(e);
}
var Yn = null, Xn = 0, Zn = null;
function Qn(e) {
	Zn = e;
}
var $n = 1, er = 0, tr = er;
function nr(e) {
	tr = e;
}
function rr() {
	return ++$n;
}
function ir(e) {
	var t = e.f;
	if (t & 2048) return !0;
	if (t & 4096) {
		for (var n = e.deps, r = n.length, i = 0; i < r; i++) {
			var a = n[i];
			if (ir(a) && yt(a), a.wv > e.wv) return !0;
		}
		t & 512 && wt === null && rt(e, _);
	}
	return !1;
}
function ar(e, t, n = !0) {
	var r = e.reactions;
	if (r !== null && !(qn !== null && qn.has(e))) for (var i = 0; i < r.length; i++) {
		var a = r[i];
		a.f & 2 ? ar(a, t, !1) : t === a && (n ? rt(a, v) : a.f & 1024 && rt(a, y), Lt(a));
	}
}
function or(e) {
	var t = Yn, n = Xn, r = Zn, i = H, a = qn, o = k, s = Wn, c = tr, l = e.f;
	Yn = null, Xn = 0, Zn = null, H = l & 96 ? null : e, qn = null, Je(e.ctx), Wn = !1, tr = ++er, e.ac !== null && (ct(() => {
		e.ac.abort(he);
	}), e.ac = null);
	try {
		e.f |= re;
		var u = e.fn, d = u();
		e.f |= S;
		var f = sr(e);
		if (Ze() && Zn !== null && !Wn && f !== null && !(e.f & 6146)) for (var p = 0; p < Zn.length; p++) ar(Zn[p], e);
		if (i !== null && i !== e) {
			if (er++, i.deps !== null) for (let e = 0; e < n; e += 1) i.deps[e].rv = er;
			if (t !== null) for (let e of t) e.rv = er;
			Zn !== null && (r === null ? r = Zn : r.push(...Zn));
		}
		return e.f & 8388608 && (e.f ^= ae), d;
	} catch (t) {
		return sr(e), pn(t);
	} finally {
		e.f ^= re, Yn = t, Xn = n, Zn = r, H = i, qn = a, Je(o), Wn = s, tr = c;
	}
}
function sr(e) {
	var t = e.deps, n = P?.is_fork;
	if (Yn !== null) {
		var r;
		if (n || lr(e, Xn), t !== null && Xn > 0) for (t.length = Xn + Yn.length, r = 0; r < Yn.length; r++) t[Xn + r] = Yn[r];
		else e.deps = t = Yn;
		if (vn() && e.f & 512) for (r = Xn; r < t.length; r++) (t[r].reactions ??= []).push(e);
	} else !n && t !== null && Xn < t.length && (lr(e, Xn), t.length = Xn);
	return t;
}
function cr(e, r) {
	let i = r.reactions;
	if (i !== null) {
		var a = t.call(i, e);
		if (a !== -1) {
			var o = i.length - 1;
			o === 0 ? i = r.reactions = null : (i[a] = i[o], i.pop());
		}
	}
	if (i === null && r.f & 2 && (Yn === null || !n.call(Yn, r))) {
		var s = r;
		s.f & 512 && (s.f ^= 512), s.v !== T && it(s), s.ac !== null && ct(() => {
			s.ac.abort(he), s.ac = null, rt(s, v);
		}), bt(s), lr(s, 0);
	}
}
function lr(e, t) {
	var n = e.deps;
	if (n !== null) for (var r = t; r < n.length; r++) cr(e, n[r]);
}
function ur(e) {
	var t = e.f;
	if (!(t & 16384)) {
		rt(e, _);
		var n = U;
		U = e;
		try {
			t & 16777232 ? Mn(e) : jn(e), An(e);
			var r = or(e);
			e.teardown = typeof r == "function" ? r : null, e.wv = $n;
		} finally {
			U = n;
		}
	}
}
async function dr() {
	await Promise.resolve(), Nt();
}
function W(e) {
	var t = !!(e.f & 2);
	if (Vn?.add(e), H !== null && !Wn && !(U !== null && U.f & 16384) && (qn === null || !qn.has(e))) {
		var r = H.deps;
		if (H.f & 2097152) e.rv < er && (e.rv = er, Yn === null && r !== null && r[Xn] === e ? Xn++ : Yn === null ? Yn = [e] : Yn.push(e));
		else {
			H.deps ??= [], n.call(H.deps, e) || H.deps.push(e);
			var i = e.reactions;
			i === null ? e.reactions = [H] : n.call(i, H) || i.push(H);
		}
	}
	if (Hn && Vt.has(e)) return Vt.get(e);
	if (t) {
		var a = e;
		if (Hn) {
			var o = a.v;
			return (!(a.f & 1024) && a.reactions !== null || pr(a)) && (o = vt(a)), Vt.set(a, o), o;
		}
		var s = !(a.f & 512) && !Wn && H !== null && !!(H.f & 512), c = (a.f & S) === 0;
		ir(a) && (s && (a.f |= 512), yt(a)), s && !c && (xt(a), fr(a));
	}
	if (wt?.has(e)) return wt.get(e);
	if (e.f & 8388608) throw e.v;
	return e.v;
}
function fr(e) {
	if (e.f |= 512, e.deps !== null) for (let r of e.deps) {
		var t = r.reactions;
		t === null ? r.reactions = [e] : n.call(t, e) || t.push(e), r.f & 2 && !(r.f & 512) && (xt(r), fr(r));
	}
}
function pr(e) {
	if (e.v === T) return !0;
	if (e.deps === null) return !1;
	for (let t of e.deps) if (Vt.has(t) || t.f & 2 && pr(t)) return !0;
	return !1;
}
function mr(e) {
	var t = Wn;
	try {
		return Wn = !0, e();
	} finally {
		Wn = t;
	}
}
function hr(e) {
	if (!(typeof e != "object" || !e || e instanceof EventTarget)) {
		if (oe in e) gr(e);
		else if (!Array.isArray(e)) for (let t in e) {
			let n = e[t];
			typeof n == "object" && n && oe in n && gr(n);
		}
	}
}
function gr(e, t = /* @__PURE__ */ new Set()) {
	if (typeof e == "object" && e && !(e instanceof EventTarget) && !t.has(e)) {
		t.add(e), e instanceof Date && e.getTime();
		for (let n in e) try {
			gr(e[n], t);
		} catch {}
		let n = l(e);
		if (n !== Object.prototype && n !== Array.prototype && n !== Map.prototype && n !== Set.prototype && n !== Date.prototype) {
			let t = o(n);
			for (let n in t) {
				let r = t[n].get;
				if (r) try {
					r.call(e);
				} catch {}
			}
		}
	}
}
[.../* @__PURE__ */ "allowfullscreen.async.autofocus.autoplay.checked.controls.default.disabled.formnovalidate.indeterminate.inert.ismap.loop.multiple.muted.nomodule.novalidate.open.playsinline.readonly.required.reversed.seamless.selected.webkitdirectory.defer.disablepictureinpicture.disableremoteplayback".split(".")];
var _r = ["touchstart", "touchmove"];
function vr(e) {
	return _r.includes(e);
}
// node_modules/svelte/src/internal/client/dom/elements/events.js
var yr = Symbol("events"), br = /* @__PURE__ */ new Set(), xr = /* @__PURE__ */ new Set();
function Sr(e, t, n, r = {}) {
	function i(e) {
		if (r.capture || Dr.call(t, e), !e.cancelBubble) return ct(() => n?.call(this, e));
	}
	return e.startsWith("pointer") || e.startsWith("touch") || e === "wheel" ? (i.__removed = !1, et(() => {
		i.__removed || t.addEventListener(e, i, r);
	})) : t.addEventListener(e, i, r), i;
}
function Cr(e, t, n, r, i) {
	var a = {
		capture: r,
		passive: i
	}, o = Sr(e, t, n, a);
	(t === document.body || t === window || t === document || t instanceof HTMLMediaElement) && yn(() => {
		o.__removed = !0, t.removeEventListener(e, o, a);
	});
}
function G(e, t, n) {
	(t[yr] ??= {})[e] = n;
}
function wr(e) {
	for (var t = 0; t < e.length; t++) br.add(e[t]);
	for (var n of xr) n(e);
}
var Tr = null, Er = !1;
function Dr(e) {
	var t = this, n = t.ownerDocument, r = e.type, a = e.composedPath?.() || [], o = a[0] || e.target;
	Tr = e, Er || (Er = !0, setTimeout(() => {
		Er = !1, Tr = null;
	}));
	var s = 0, c = Tr === e && e[yr];
	if (c) {
		var l = a.indexOf(c);
		if (l !== -1 && (t === document || t === window)) {
			e[yr] = t;
			return;
		}
		var u = a.indexOf(t);
		if (u === -1) return;
		l <= u && (s = l);
	}
	if (o = a[s] || e.target, o !== t) {
		i(e, "currentTarget", {
			configurable: !0,
			get() {
				return o || n;
			}
		});
		var d = H, f = U;
		Gn(null), Kn(null);
		try {
			for (var p, m = []; o !== null && o !== t;) {
				try {
					var h = o[yr]?.[r];
					h == null || o.disabled && e.target !== o || h.call(o, e);
				} catch (e) {
					p ? m.push(e) : p = e;
				}
				if (e.cancelBubble) break;
				s++, o = s < a.length ? a[s] : null;
			}
			if (p) {
				for (let e of m) queueMicrotask(() => {
					throw e;
				});
				throw p;
			}
		} finally {
			e[yr] = t, delete e.currentTarget, Gn(d), Kn(f);
		}
	}
}
// node_modules/svelte/src/internal/client/dom/reconciler.js
var Or = globalThis?.window?.trustedTypes && /* @__PURE__ */ globalThis.window.trustedTypes.createPolicy("svelte-trusted-html", { createHTML: (e) => e });
function kr(e) {
	return Or?.createHTML(e) ?? e;
}
function Ar(e) {
	var t = dn("template");
	return t.innerHTML = kr(e.replaceAll("<!>", "<!---->")), t.content;
}
// node_modules/svelte/src/internal/client/dom/template.js
function jr(e, t) {
	var n = U;
	n.nodes === null && (n.nodes = {
		start: e,
		end: t,
		a: null,
		t: null
	});
}
/*#__NO_SIDE_EFFECTS__*/
function K(e, t) {
	var n = !!(t & 1), r = !!(t & 2), i, a = !e.startsWith("<!>");
	return () => {
		if (E) return jr(D, null), D;
		i === void 0 && (i = Ar(a ? e : "<!>" + e), n || (i = /* @__PURE__ */ sn(i)));
		var t = r || tn ? document.importNode(i, !0) : i.cloneNode(!0);
		if (n) {
			var o = /* @__PURE__ */ sn(t), s = t.lastChild;
			jr(o, s);
		} else jr(t, t);
		return t;
	};
}
/*#__NO_SIDE_EFFECTS__*/
function Mr(e, t, n = "svg") {
	var r = !e.startsWith("<!>"), i = !!(t & 1), a = `<${n}>${r ? e : "<!>" + e}</${n}>`, o;
	return () => {
		if (E) return jr(D, null), D;
		if (!o) {
			var e = /* @__PURE__ */ sn(Ar(a));
			if (i) for (o = document.createDocumentFragment(); /* @__PURE__ */ sn(e);) o.appendChild(/* @__PURE__ */ sn(e));
			else o = /* @__PURE__ */ sn(e);
		}
		var t = o.cloneNode(!0);
		if (i) {
			var n = /* @__PURE__ */ sn(t), r = t.lastChild;
			jr(n, r);
		} else jr(t, t);
		return t;
	};
}
/*#__NO_SIDE_EFFECTS__*/
function q(e, t) {
	return /* @__PURE__ */ Mr(e, t, "svg");
}
function Nr(e = "") {
	if (!E) {
		var t = on(e + "");
		return jr(t, t), t;
	}
	var n = D;
	return n.nodeType === 3 ? fn(n) : (n.before(n = on()), we(n)), jr(n, n), n;
}
function Pr() {
	if (E) return jr(D, null), D;
	var e = document.createDocumentFragment(), t = document.createComment(""), n = on();
	return e.append(t, n), jr(t, n), e;
}
function J(e, t) {
	if (E) {
		var n = U;
		n.f & 32768 && n.nodes.end !== null || (n.nodes.end = D), Te();
	} else e !== null && e.before(t);
}
// node_modules/svelte/src/reactivity/create-subscriber.js
function Fr(e) {
	let t = 0, n = Ut(0), r;
	return () => {
		vn() && (W(n), En(() => (t === 0 && (r = mr(() => e(() => Yt(n)))), t += 1, () => {
			et(() => {
				--t, t === 0 && (r?.(), r = void 0, Yt(n));
			});
		})));
	};
}
// node_modules/svelte/src/internal/client/dom/blocks/boundary.js
var Ir = w | ee;
function Lr(e, t, n, r) {
	new Rr(e, t, n, r);
}
var Rr = class {
	parent;
	is_pending = !1;
	transform_error;
	#e;
	#t = E ? D : null;
	#n;
	#r;
	#i;
	#a = null;
	#o = null;
	#s = null;
	#c = null;
	#l = 0;
	#u = 0;
	#d = !1;
	#f = /* @__PURE__ */ new Map();
	#p = null;
	#m = Fr(() => (this.#p = Ut(this.#l), () => {
		this.#p = null;
	}));
	constructor(e, t, n, r) {
		this.#e = e, this.#n = t, this.#r = (e) => {
			var t = U;
			t.b = this, t.f |= 128, n(e);
		}, this.parent = U.b, this.transform_error = r ?? this.parent?.transform_error ?? ((e) => e), this.#i = Dn(() => {
			if (E) {
				let e = Oe(this.#t);
				Te();
				let t = e === "[!";
				if (e.startsWith("[?")) {
					let t = JSON.parse(e.slice(2));
					this.#g(t);
				} else t ? this.#y() : this.#h();
			} else this.#b();
		}, Ir), E && (this.#e = D);
	}
	#h() {
		try {
			this.#a = kn(() => this.#r(this.#e));
		} catch (e) {
			this.error(e);
		}
	}
	#g(e) {
		let t = this.#n.failed, { reset: n, invoke_onerror: r } = this.#_(e);
		et(r), t && (this.#s = kn(() => {
			t(this.#e, () => e, () => n);
		}));
	}
	#_(e) {
		var t = !1, n = !1;
		let r = () => {
			this.#v() || (t ? Se() : (t = !0, n && Ue(), this.#s !== null && In(this.#s, () => {
				this.#s = null;
			}), this.#S(() => {
				this.#b();
			})));
		};
		return {
			reset: r,
			invoke_onerror: () => {
				if (!this.#v()) try {
					n = !0, this.#n.onerror?.(e, r), n = !1;
				} catch (e) {
					mn(e, this.#i && this.#i.parent);
				}
			}
		};
	}
	#v() {
		return (this.#i.f & (x | C)) !== 0;
	}
	#y() {
		let e = this.#n.pending;
		e && (this.is_pending = !0, this.#o = kn(() => e(this.#e)), et(() => {
			if (!this.#v()) {
				var e = this.#c = document.createDocumentFragment(), t = on(), n = !1;
				e.append(t), this.#a = this.#S(() => {
					try {
						return kn(() => this.#r(t));
					} catch (e) {
						try {
							this.error(e), n = !0;
						} catch (e) {
							mn(e, this.#i.parent);
						}
						return null;
					}
				}), this.#a === null ? (this.#c = null, n && this.#x(P)) : this.#u === 0 && (this.#e.before(e), this.#c = null, In(this.#o, () => {
					this.#o = null;
				}), this.#x(P));
			}
		}));
	}
	#b() {
		try {
			if (this.is_pending = this.has_pending_snippet(), this.#u = 0, this.#l = 0, this.#a = kn(() => {
				this.#r(this.#e);
			}), this.#u > 0) {
				var e = this.#c = document.createDocumentFragment();
				Bn(this.#a, e);
				let t = this.#n.pending;
				this.#o = kn(() => t(this.#e));
			} else this.#x(P);
		} catch (e) {
			this.error(e);
		}
	}
	#x(e) {
		this.is_pending = !1, e.transfer_reactions(this.#f);
	}
	defer_effect(e) {
		at(e, this.#f);
	}
	is_rendered() {
		return !this.is_pending && (!this.parent || this.parent.is_rendered());
	}
	has_pending_snippet() {
		return !!this.#n.pending;
	}
	#S(e) {
		var t = U, n = H, r = k;
		Kn(this.#i), Gn(this.#i), Je(this.#i.ctx);
		try {
			return Mt.ensure(), e();
		} finally {
			Kn(t), Gn(n), Je(r);
		}
	}
	#C(e, t) {
		this.has_pending_snippet() ? (this.#u += e, this.#u === 0 && (this.#x(t), this.#o && In(this.#o, () => {
			this.#o = null;
		}), this.#c &&= (this.#e.before(this.#c), null))) : this.parent && this.parent.#C(e, t);
	}
	update_pending_count(e, t) {
		this.#C(e, t), this.#l += e, !this.#p || this.#d || (this.#d = !0, et(() => {
			this.#d = !1, this.#p && qt(this.#p, this.#l);
		}));
	}
	get_effect_pending() {
		return this.#m(), W(this.#p);
	}
	error(e) {
		if (e === _e || !this.#n.onerror && !this.#n.failed) throw e;
		P?.is_fork ? (this.#a && P.skip_effect(this.#a), this.#o && P.skip_effect(this.#o), this.#s && P.skip_effect(this.#s), P.oncommit(() => {
			this.#v() || this.#w(e);
		})) : this.#w(e);
	}
	#w(e) {
		this.#a &&= (Nn(this.#a), null), this.#o &&= (Nn(this.#o), null), this.#s &&= (Nn(this.#s), null), E && (we(this.#t), Ee(), we(De()));
		let t = this.#n.failed, n = (e) => {
			if (this.#v()) return;
			let { reset: n, invoke_onerror: r } = this.#_(e);
			r(), t && !this.#v() && (this.#s = this.#S(() => {
				try {
					return kn(() => {
						var r = U;
						r.b = this, r.f |= 128, t(this.#e, () => e, () => n);
					});
				} catch (e) {
					return mn(e, this.#i.parent), null;
				}
			}));
		};
		et(() => {
			if (!this.#v()) {
				var t;
				try {
					t = this.transform_error(e);
				} catch (e) {
					mn(e, this.#i && this.#i.parent);
					return;
				}
				typeof t == "object" && t && typeof t.then == "function" ? t.then(n, (e) => mn(e, this.#i && this.#i.parent)) : n(t);
			}
		});
	}
};
function Y(e, t) {
	var n = t == null ? "" : typeof t == "object" ? `${t}` : t;
	n !== (e[pe] ??= e.nodeValue) && (e[pe] = n, e.nodeValue = `${n}`);
}
function zr(e, t) {
	return Vr(e, t);
}
var Br = /* @__PURE__ */ new Map();
function Vr(e, { target: t, anchor: n, props: i = {}, events: a, context: o, intro: s = !0, transformError: c }) {
	an();
	var l = void 0, u = Cn(() => {
		var s = n ?? t.appendChild(on());
		Lr(s, { pending: () => {} }, (t) => {
			j({});
			var n = k;
			if (o && (n.c = o), a && (i.$$events = a), E && jr(t, null), l = e(t, i) || Xe(), E && (U.nodes.end = D, D === null || D.nodeType !== 8 || D.data !== "]")) throw be(), _e;
			M();
		}, c);
		var u = /* @__PURE__ */ new Set(), d = (e) => {
			for (var n = 0; n < e.length; n++) {
				var r = e[n];
				if (!u.has(r)) {
					u.add(r);
					var i = vr(r);
					for (let e of [t, document]) {
						var a = Br.get(e);
						a === void 0 && (a = /* @__PURE__ */ new Map(), Br.set(e, a));
						var o = a.get(r);
						o === void 0 ? (e.addEventListener(r, Dr, { passive: i }), a.set(r, 1)) : a.set(r, o + 1);
					}
				}
			}
		};
		return d(r(br)), xr.add(d), () => {
			for (var e of u) for (let n of [t, document]) {
				var r = Br.get(n), i = r.get(e);
				--i == 0 ? (n.removeEventListener(e, Dr), r.delete(e), r.size === 0 && Br.delete(n)) : r.set(e, i);
			}
			xr.delete(d), s !== n && s.parentNode?.removeChild(s);
		};
	});
	return Hr.set(l, u), l;
}
var Hr = /* @__PURE__ */ new WeakMap(), Ur = class {
	anchor;
	#e = /* @__PURE__ */ new Map();
	#t = /* @__PURE__ */ new Map();
	#n = /* @__PURE__ */ new Map();
	#r = /* @__PURE__ */ new Set();
	#i = !0;
	constructor(e, t = !0) {
		this.anchor = e, this.#i = t;
	}
	#a = (e) => {
		if (this.#e.has(e)) {
			var t = this.#e.get(e), n = this.#t.get(t);
			if (n) Rn(n), this.#r.delete(t);
			else {
				var r = this.#n.get(t);
				r && (Rn(r.effect), this.#t.set(t, r.effect), this.#n.delete(t), r.fragment.lastChild.remove(), this.anchor.before(r.fragment), n = r.effect);
			}
			for (let [t, n] of this.#e) {
				if (this.#e.delete(t), t === e) break;
				let r = this.#n.get(n);
				r && (Nn(r.effect), this.#n.delete(n));
			}
			for (let [e, r] of this.#t) {
				if (e === t || this.#r.has(e)) continue;
				let i = () => {
					if (Array.from(this.#e.values()).includes(e)) {
						var t = document.createDocumentFragment();
						Bn(r, t), t.append(on()), this.#n.set(e, {
							effect: r,
							fragment: t
						});
					} else Nn(r);
					this.#r.delete(e), this.#t.delete(e);
				};
				this.#i || !n ? (this.#r.add(e), In(r, i, !1)) : i();
			}
		}
	};
	#o = (e) => {
		this.#e.delete(e);
		let t = Array.from(this.#e.values());
		for (let [e, n] of this.#n) t.includes(e) || (Nn(n.effect), this.#n.delete(e));
	};
	ensure(e, t) {
		var n = P, r = un();
		if (t && !this.#t.has(e) && !this.#n.has(e)) {
			if (r) {
				var i = document.createDocumentFragment(), a = on();
				i.append(a), this.#n.set(e, {
					effect: kn(() => t(a)),
					fragment: i
				});
			} else this.#t.set(e, kn(() => t(this.anchor)));
		}
		if (this.#e.set(n, e), r) {
			for (let [t, r] of this.#t) t === e ? n.unskip_effect(r) : n.skip_effect(r);
			for (let [t, r] of this.#n) t === e ? n.unskip_effect(r.effect) : n.skip_effect(r.effect);
			n.oncommit(this.#a), n.ondiscard(this.#o);
		} else E && (this.anchor = D), this.#a(n);
	}
};
// node_modules/svelte/src/internal/client/dom/blocks/if.js
function X(e, t, n = !1) {
	var r;
	E && (r = D, Te());
	var i = new Ur(e), a = n ? w : 0;
	function o(e, t) {
		if (E) {
			var n = Oe(r);
			if (e !== parseInt(n.substring(1))) {
				var a = De();
				we(a), i.anchor = a, Ce(!1), i.ensure(e, t), Ce(!0);
				return;
			}
		}
		i.ensure(e, t);
	}
	Dn(() => {
		var e = !1;
		t((t, n = 0) => {
			e = !0, o(n, t);
		}), e || o(-1, null);
	}, a);
}
// node_modules/svelte/src/internal/client/dom/blocks/key.js
var Wr = Symbol("NaN");
function Gr(e, t, n) {
	E && Te();
	var r = new Ur(e), i = !Ze();
	Dn(() => {
		var e = t();
		e !== e && (e = Wr), i && typeof e == "object" && e && (e = {}), r.ensure(e, n);
	});
}
// node_modules/svelte/src/internal/client/dom/blocks/each.js
function Z(e, t) {
	return t;
}
function Kr(e, t, n) {
	for (var i = [], a = t.length, o, s = t.length, c = 0; c < a; c++) {
		let n = t[c];
		In(n, () => {
			if (o) {
				if (o.pending.delete(n), o.done.add(n), o.pending.size === 0) {
					var t = e.outrogroups;
					qr(e, r(o.done)), t.delete(o), t.size === 0 && (e.outrogroups = null);
				}
			} else --s;
		}, !1);
	}
	if (s === 0) {
		var l = i.length === 0 && n !== null && e.pending.size === 0;
		if (l) {
			var u = n, d = u.parentNode;
			ln(d), d.append(u), e.items.clear();
		}
		qr(e, t, !l);
	} else o = {
		pending: new Set(t),
		done: /* @__PURE__ */ new Set()
	}, (e.outrogroups ??= /* @__PURE__ */ new Set()).add(o);
}
function qr(e, t, n = !0) {
	var r;
	if (e.pending.size > 0) {
		r = /* @__PURE__ */ new Set();
		for (let t of e.pending.values()) for (let n of t) r.add(e.items.get(n).e);
	}
	for (var i = 0; i < t.length; i++) {
		var a = t[i];
		r?.has(a) ? (a.f |= ne, Bn(a, document.createDocumentFragment())) : Nn(t[i], n);
	}
}
var Jr;
function Q(t, n, i, a, o, s = null) {
	var c = t, l = /* @__PURE__ */ new Map();
	if (n & 4) {
		var u = t;
		c = E ? we(/* @__PURE__ */ sn(u)) : u.appendChild(on());
	}
	E && Te();
	var d = null, f = /* @__PURE__ */ gt(() => {
		var t = i();
		return e(t) ? t : t == null ? [] : r(t);
	}), p = /* @__PURE__ */ new Map(), m = !0;
	function h(e) {
		if (!(_.effect.f & 16384)) {
			_.pending.delete(e);
			var t = W(f);
			_.fallback = d, Xr(_, t, c, n, a), d !== null && (t.length === 0 ? d.f & 33554432 ? (d.f ^= ne, Qr(d, null, c)) : Rn(d) : In(d, () => {
				d = null;
			}));
		}
	}
	function g(e) {
		_.pending.delete(e);
	}
	var _ = {
		effect: Dn(() => {
			var e = W(f), t = e.length;
			let r = !1;
			E && Oe(c) === "[!" != (t === 0) && (c = De(), we(c), Ce(!1), r = !0);
			for (var u = /* @__PURE__ */ new Set(), _ = P, v = un(), y = 0; y < t; y += 1) {
				E && D.nodeType === 8 && D.data === "]" && (c = D, r = !0, Ce(!1));
				var b = e[y], x = a(b, y), S = m ? null : l.get(x);
				S ? (S.v && qt(S.v, b), S.i && qt(S.i, y), v && _.unskip_effect(S.e)) : (S = Zr(l, m ? c : Jr ??= on(), b, x, y, o, n, i), m || (S.e.f |= ne), l.set(x, S)), u.add(x);
			}
			if (t === 0 && s && !d && (m ? d = kn(() => s(c)) : (d = kn(() => s(Jr ??= on())), d.f |= ne)), t > u.size && Pe("", "", ""), E && t > 0 && we(De()), !m) {
				if (p.set(_, u), v) {
					for (let [e, t] of l) u.has(e) || _.skip_effect(t.e);
					_.oncommit(h), _.ondiscard(g);
				} else h(_);
			}
			r && Ce(!0), W(f);
		}),
		flags: n,
		items: l,
		pending: p,
		outrogroups: null,
		fallback: d
	};
	m = !1, E && (c = D);
}
function Yr(e) {
	for (; e !== null && !(e.f & 32);) e = e.next;
	return e;
}
function Xr(e, t, n, i, a) {
	var o = !!(i & 8), s = t.length, c = e.items, l = Yr(e.effect.first), u, d = null, f, p = [], m = [], h, g, _, v;
	if (o) for (v = 0; v < s; v += 1) h = t[v], g = a(h, v), _ = c.get(g).e, _.f & 33554432 || (_.nodes?.a?.measure(), (f ??= /* @__PURE__ */ new Set()).add(_));
	for (v = 0; v < s; v += 1) {
		if (h = t[v], g = a(h, v), _ = c.get(g).e, e.outrogroups !== null) for (let t of e.outrogroups) t.pending.delete(_), t.done.delete(_);
		if (_.f & 8192 && (Rn(_), o && (_.nodes?.a?.unfix(), (f ??= /* @__PURE__ */ new Set()).delete(_))), _.f & 33554432) {
			if (_.f ^= ne, _ === l) Qr(_, null, n);
			else {
				var y = d ? d.next : l;
				_ === e.effect.last && (e.effect.last = _.prev), _.prev && (_.prev.next = _.next), _.next && (_.next.prev = _.prev), $r(e, d, _), $r(e, _, y), Qr(_, y, n), d = _, p = [], m = [], l = Yr(d.next);
				continue;
			}
		}
		if (_ !== l) {
			if (u !== void 0 && u.has(_)) {
				if (p.length < m.length) {
					var b = m[0], x;
					d = b.prev;
					var S = p[0], C = p[p.length - 1];
					for (x = 0; x < p.length; x += 1) Qr(p[x], b, n);
					for (x = 0; x < m.length; x += 1) u.delete(m[x]);
					$r(e, S.prev, C.next), $r(e, d, S), $r(e, C, b), l = b, d = C, --v, p = [], m = [];
				} else u.delete(_), Qr(_, l, n), $r(e, _.prev, _.next), $r(e, _, d === null ? e.effect.first : d.next), $r(e, d, _), d = _;
				continue;
			}
			for (p = [], m = []; l !== null && l !== _;) (u ??= /* @__PURE__ */ new Set()).add(l), m.push(l), l = Yr(l.next);
			if (l === null) continue;
		}
		_.f & 33554432 || p.push(_), d = _, l = Yr(_.next);
	}
	if (e.outrogroups !== null) {
		for (let t of e.outrogroups) t.pending.size === 0 && (qr(e, r(t.done)), e.outrogroups?.delete(t));
		e.outrogroups.size === 0 && (e.outrogroups = null);
	}
	if (l !== null || u !== void 0) {
		var w = [];
		if (u !== void 0) for (_ of u) _.f & 8192 || w.push(_);
		for (; l !== null;) !(l.f & 8192) && l !== e.fallback && w.push(l), l = Yr(l.next);
		var ee = w.length;
		if (ee > 0) {
			var te = i & 4 && s === 0 ? n : null;
			if (o) {
				for (v = 0; v < ee; v += 1) w[v].nodes?.a?.measure();
				for (v = 0; v < ee; v += 1) w[v].nodes?.a?.fix();
			}
			Kr(e, w, te);
		}
	}
	o && et(() => {
		if (f !== void 0) for (_ of f) _.nodes?.a?.apply();
	});
}
function Zr(e, t, n, r, i, a, o, s) {
	var c = o & 1 ? o & 16 ? Ut(n) : /* @__PURE__ */ Wt(n, !1, !1) : null, l = o & 2 ? Ut(i) : null;
	return {
		v: c,
		i: l,
		e: kn(() => (a(t, c ?? n, l ?? i, s), () => {
			e.delete(r);
		}))
	};
}
function Qr(e, t, n) {
	if (e.nodes) for (var r = e.nodes.start, i = e.nodes.end, a = t && !(t.f & 33554432) ? t.nodes.start : n; r !== null;) {
		var o = /* @__PURE__ */ cn(r);
		if (a.before(r), r === i) return;
		r = o;
	}
}
function $r(e, t, n) {
	t === null ? e.effect.first = n : t.next = n, n === null ? e.effect.last = t : n.prev = t;
}
// node_modules/svelte/src/internal/client/dom/elements/attachments.js
function ei(e, t) {
	var n = void 0, r;
	On(() => {
		n !== (n = t()) && (r &&= (Nn(r), null), n && (r = kn(() => {
			wn(() => n(e));
		})));
	});
}
// node_modules/clsx/dist/clsx.mjs
function ti(e) {
	var t, n, r = "";
	if (typeof e == "string" || typeof e == "number") r += e;
	else if (typeof e == "object") {
		if (Array.isArray(e)) {
			var i = e.length;
			for (t = 0; t < i; t++) e[t] && (n = ti(e[t])) && (r && (r += " "), r += n);
		} else for (n in e) e[n] && (r && (r += " "), r += n);
	}
	return r;
}
function ni() {
	for (var e, t, n = 0, r = "", i = arguments.length; n < i; n++) (e = arguments[n]) && (t = ti(e)) && (r && (r += " "), r += t);
	return r;
}
// node_modules/svelte/src/internal/shared/attributes.js
function ri(e) {
	return typeof e == "object" ? ni(e) : e ?? "";
}
var ii = [..." 	\n\r\f\xA0\v﻿"];
function ai(e, t, n) {
	var r = e == null ? "" : "" + e;
	if (t && (r = r ? r + " " + t : t), n) {
		for (var i of Object.keys(n)) if (n[i]) r = r ? r + " " + i : i;
		else if (r.length) for (var a = i.length, o = 0; (o = r.indexOf(i, o)) >= 0;) {
			var s = o + a;
			(o === 0 || ii.includes(r[o - 1])) && (s === r.length || ii.includes(r[s])) ? r = (o === 0 ? "" : r.substring(0, o)) + r.substring(s + 1) : o = s;
		}
	}
	return r === "" ? null : r;
}
function oi(e, t = !1) {
	var n = t ? " !important;" : ";", r = "";
	for (var i of Object.keys(e)) {
		var a = e[i];
		a != null && a !== "" && (r += " " + i + ": " + a + n);
	}
	return r;
}
function si(e) {
	return e[0] !== "-" || e[1] !== "-" ? e.toLowerCase() : e;
}
function ci(e, t) {
	if (t) {
		var n = "", r, i;
		if (Array.isArray(t) ? (r = t[0], i = t[1]) : r = t, e) {
			e = String(e).replaceAll(/\/\*.*?\*\//g, "").trim();
			var a = !1, o = 0, s = !1, c = [];
			r && c.push(...Object.keys(r).map(si)), i && c.push(...Object.keys(i).map(si));
			var l = 0, u = -1;
			let t = e.length;
			for (var d = 0; d < t; d++) {
				var f = e[d];
				if (s ? f === "/" && e[d - 1] === "*" && (s = !1) : a ? a === f && (a = !1) : f === "/" && e[d + 1] === "*" ? s = !0 : f === "\"" || f === "'" ? a = f : f === "(" ? o++ : f === ")" && o--, !s && a === !1 && o === 0) {
					if (f === ":" && u === -1) u = d;
					else if (f === ";" || d === t - 1) {
						if (u !== -1) {
							var p = si(e.substring(l, u).trim());
							if (!c.includes(p)) {
								f !== ";" && d++;
								var m = e.substring(l, d).trim();
								n += " " + m + ";";
							}
						}
						l = d + 1, u = -1;
					}
				}
			}
		}
		return r && (n += oi(r)), i && (n += oi(i, !0)), n = n.trim(), n === "" ? null : n;
	}
	return e == null ? null : String(e);
}
// node_modules/svelte/src/internal/client/dom/elements/class.js
function li(e, t, n, r, i, a) {
	var o = e[de];
	if (E || o !== n || o === void 0) {
		var s = ai(n, r, a);
		E && s === e.getAttribute("class") || (s == null ? e.removeAttribute("class") : t ? e.className = s : e.setAttribute("class", s)), e[de] = n;
	} else if (a && i !== a) for (var c in a) {
		var l = !!a[c];
		(i == null || l !== !!i[c]) && e.classList.toggle(c, l);
	}
	return a;
}
// node_modules/svelte/src/internal/client/dom/elements/style.js
function ui(e, t = {}, n, r) {
	for (var i in n) {
		var a = n[i];
		t[i] !== a && (n[i] == null ? e.style.removeProperty(i) : e.style.setProperty(i, a, r));
	}
}
function di(e, t, n, r) {
	var i = e[fe];
	if (E || i !== t) {
		var a = ci(t, r);
		E && a === e.getAttribute("style") || (a == null ? e.removeAttribute("style") : e.style.cssText = a), e[fe] = t;
	} else r && (Array.isArray(r) ? (ui(e, n?.[0], r[0]), ui(e, n?.[1], r[1], "important")) : ui(e, n, r));
	return r;
}
// node_modules/svelte/src/internal/client/dom/elements/bindings/select.js
function fi(e, t) {
	t ? e.hasAttribute("selected") || e.setAttribute("selected", "") : e.removeAttribute("selected");
}
function pi(t, n) {
	var r = t.__defaultValue, i = t.multiple, a = i ? r ?? [] : null;
	if (!i || e(a)) {
		var o = t.selectedIndex, s = n && i ? new Set(t.selectedOptions) : null;
		for (var c of t.options) {
			var l = gi(c);
			fi(c, i ? a.includes(l) : $t(l, r));
		}
		if (n) {
			if (s !== null) for (c of t.options) {
				var u = s.has(c);
				c.selected !== u && (c.selected = u);
			}
			else t.selectedIndex !== o && (t.selectedIndex = o);
		}
	}
}
function mi(t, n, r = !1) {
	if (t.multiple) {
		if (n == null) return;
		if (!e(n)) return xe();
		for (var i of t.options) i.selected = n.includes(gi(i));
	} else {
		for (i of t.options) if ($t(gi(i), n)) {
			i.selected = !0;
			return;
		}
		r && n === void 0 || (t.selectedIndex = -1);
	}
}
function hi(e) {
	var t = new MutationObserver((t) => {
		t.every(_i) || ("__defaultValue" in e && pi(e, !1), "__value" in e && mi(e, e.__value));
	});
	t.observe(e, {
		childList: !0,
		subtree: !0,
		attributes: !0,
		attributeFilter: ["value"]
	}), yn(() => {
		t.disconnect();
	});
}
function gi(e) {
	return "__value" in e ? e.__value : e.value;
}
function _i(e) {
	if (e.target.closest("selectedcontent") !== null) return !0;
	if (e.type === "childList") {
		var t = [...e.addedNodes, ...e.removedNodes];
		return t.length > 0 && t.every((e) => e.nodeName === "SELECTEDCONTENT");
	}
	return !1;
}
// node_modules/svelte/src/internal/client/dom/elements/attributes.js
var vi = Symbol("is custom element"), yi = Symbol("is html"), bi = ge ? "link" : "LINK", xi = ge ? "progress" : "PROGRESS";
function Si(e) {
	if (E) {
		var t = !1, n = () => {
			if (!t) {
				if (t = !0, e.hasAttribute("value")) {
					var n = e.value;
					$(e, "value", null), e.value = n;
				}
				if (e.hasAttribute("checked")) {
					var r = e.checked;
					$(e, "checked", null), e.checked = r;
				}
			}
		};
		e[me] = n, et(n), st();
	}
}
function Ci(e, t) {
	var n = wi(e);
	n.value !== (n.value = t ?? void 0) && (e.value !== t || t === 0 && e.nodeName === xi) && (e.value = t ?? "");
}
function $(e, t, n, r) {
	var i = wi(e);
	if (!(E && (i[t] = e.getAttribute(t), t === "src" || t === "srcset" || t === "href" && e.nodeName === bi))) {
		var a = i[t];
		a !== (i[t] = n) && (t === "loading" && (e[le] = n), n == null ? e.removeAttribute(t) : typeof n != "string" && Ei(e).has(t) ? e[t] = n : (!E || typeof n != "number" && typeof n != "boolean" || a !== String(n)) && e.setAttribute(t, n));
	}
}
function wi(e) {
	return e[ue] ??= {
		[vi]: e.nodeName.includes("-"),
		[yi]: e.namespaceURI === ve
	};
}
var Ti = /* @__PURE__ */ new Map();
function Ei(e) {
	var t = e.getAttribute("is") || e.nodeName, n = Ti.get(t);
	if (n) return n;
	Ti.set(t, n = /* @__PURE__ */ new Set());
	for (var r, i = e, a = Element.prototype; a !== i;) {
		for (var s in r = o(i), r) r[s].set && s !== "innerHTML" && s !== "textContent" && s !== "innerText" && n.add(s);
		i = l(i);
	}
	return n;
}
var Di = /* @__PURE__ */ new class e {
	#e = /* @__PURE__ */ new WeakMap();
	#t;
	#n;
	static entries = /* @__PURE__ */ new WeakMap();
	constructor(e) {
		this.#n = e;
	}
	observe(e, t) {
		var n = this.#e.get(e) || /* @__PURE__ */ new Set();
		return n.add(t), this.#e.set(e, n), this.#r().observe(e, this.#n), () => {
			var n = this.#e.get(e);
			n.delete(t), n.size === 0 && (this.#e.delete(e), this.#t.unobserve(e));
		};
	}
	#r() {
		return this.#t ??= new ResizeObserver((t) => {
			for (var n of t) {
				e.entries.set(n.target, n);
				for (var r of this.#e.get(n.target) || []) r(n);
			}
		});
	}
}({ box: "border-box" });
function Oi(e, t, n) {
	var r = Di.observe(e, () => n(e[t]));
	wn(() => (mr(() => n(e[t])), r));
}
// node_modules/svelte/src/internal/client/dom/elements/bindings/this.js
function ki(e, t) {
	return e === t || e?.[oe] === t;
}
function Ai(e = Xe(), t, n, r) {
	var i = k.r, a = U;
	return wn(() => {
		var o, s;
		return En(() => {
			o = s, s = r?.() || [], mr(() => {
				ki(n(...s), e) || (t(e, ...s), o && ki(n(...o), e) && t(null, ...o));
			});
		}), () => {
			let r = a;
			for (; r !== i && r.parent !== null && r.parent.f & 33554432;) r = r.parent;
			let o = () => {
				s && ki(n(...s), e) && t(null, ...s);
			}, c = r.teardown;
			r.teardown = () => {
				o(), c?.();
			};
		};
	}), e;
}
// node_modules/svelte/src/internal/client/dom/legacy/lifecycle.js
function ji(e = !1) {
	let t = k, n = t.l.u;
	if (!n) return;
	let r = () => hr(t.s);
	if (e) {
		let e = 0, n = {}, i = /* @__PURE__ */ pt(() => {
			let r = !1, i = t.s;
			for (let e in i) i[e] !== n[e] && (n[e] = i[e], r = !0);
			return r && e++, e;
		});
		r = () => W(i);
	}
	n.b.length && Sn(() => {
		Mi(t, r), p(n.b);
	}), bn(() => {
		let e = mr(() => n.m.map(f));
		return () => {
			for (let t of e) typeof t == "function" && t();
		};
	}), n.a.length && bn(() => {
		Mi(t, r), p(n.a);
	});
}
function Mi(e, t) {
	if (e.l.s) for (let t of e.l.s) W(t);
	t();
}
// node_modules/svelte/src/internal/client/reactivity/store.js
var Ni = !1;
function Pi(e) {
	var t = Ni;
	try {
		return Ni = !1, [e(), Ni];
	} finally {
		Ni = t;
	}
}
// node_modules/svelte/src/internal/client/reactivity/props.js
function Fi(e, t, n, r) {
	var i = !We || !!(n & 2), o = !!(n & 8), s = !!(n & 16), c = r, l = !0, u = void 0, d = () => s && i ? (u ??= /* @__PURE__ */ pt(r), W(u)) : (l && (l = !1, c = s ? mr(r) : r), c);
	let f;
	if (o) {
		var p = oe in e || ce in e;
		f = a(e, t)?.set ?? (p && t in e ? (n) => e[t] = n : void 0);
	}
	var m, h = !1;
	o ? [m, h] = Pi(() => e[t]) : m = e[t], m === void 0 && r !== void 0 && (m = d(), f && (i && ze(t), f(m)));
	var g = i ? () => {
		var n = e[t];
		return n === void 0 ? d() : (l = !0, n);
	} : () => {
		var n = e[t];
		return n !== void 0 && (c = void 0), n === void 0 ? c : n;
	};
	if (i && !(n & 4)) return g;
	if (f) {
		var _ = e.$$legacy;
		return (function(e, t) {
			return arguments.length > 0 ? ((!i || !t || _ || h) && f(t ? g() : e), e) : g();
		});
	}
	var v = !1, y = (n & 1 ? pt : gt)(() => (v = !1, g()));
	o && W(y);
	var b = U;
	return (function(e, t) {
		if (arguments.length > 0) {
			let n = t ? W(y) : i && o ? Zt(e) : e;
			return I(y, n), v = !0, c !== void 0 && (c = n), e;
		}
		return Hn && v || b.f & 16384 ? y.v : W(y);
	});
}
// src/core/payload.ts
function Ii(e) {
	let t = atob(e.trim()), n = new Uint8Array(t.length);
	for (let e = 0; e < t.length; e++) n[e] = t.charCodeAt(e);
	return n;
}
async function Li(e) {
	let t = new Blob([e]).stream().pipeThrough(new DecompressionStream("deflate"));
	return new Response(t).arrayBuffer();
}
function Ri(e, t) {
	let n = t.shape.reduce((e, t) => e * t, 1);
	switch (t.type) {
		case "u8": return new Uint8Array(e, t.at, n);
		case "u16": return new Uint16Array(e, t.at, n);
		case "u32": return new Uint32Array(e, t.at, n);
		case "i8": return new Int8Array(e, t.at, n);
		case "i16": return new Int16Array(e, t.at, n);
	}
}
// src/draw/theme.ts
var zi = {
	light: {
		page: "#ffffff",
		raised: "#f3f5f8",
		ink: "#1b2028",
		quiet: "#5a6472",
		edge: "#cfd6df",
		accent: "#0067b1",
		positive: "#0067b1",
		negative: "#c1470a",
		glow: "#ffb01f"
	},
	dark: {
		page: "#14171c",
		raised: "#1e232b",
		ink: "#e8ebf0",
		quiet: "#a3adbb",
		edge: "#3a424e",
		accent: "#58b4f5",
		positive: "#58b4f5",
		negative: "#f08a4b",
		glow: "#a36a00"
	}
}, Bi = "ui-sans-serif, system-ui, -apple-system, \"Segoe UI\", Roboto, \"Noto Sans\", sans-serif";
function Vi(e, t = null) {
	return e === "system" ? (t && Hi(t)) ?? matchMedia("(prefers-color-scheme: dark)").matches : e === "dark";
}
function Hi(e) {
	let t = e;
	for (; t;) {
		let [e, n, r, i] = Ui(getComputedStyle(t).backgroundColor);
		if (i > 127) return .2126 * e + .7152 * n + .0722 * r < 110;
		let a = t.getRootNode();
		t = t.assignedSlot ?? t.parentElement ?? (a instanceof ShadowRoot ? a.host : null);
	}
	return null;
}
function Ui(e) {
	let t = document.createElement("canvas");
	t.width = t.height = 1;
	let n = t.getContext("2d");
	return n.fillStyle = e, n.fillRect(0, 0, 1, 1), n.getImageData(0, 0, 1, 1).data;
}
// src/report/matching.ts
var Wi = 4, Gi = 6, Ki = "=", qi = [
	"ss",
	"us",
	"is"
], Ji = /"[^"]*"|“[^”]*”|‘[^’]*’/gu, Yi = /\blike\b|\bsuch as\b|:/u, Xi = class {
	finder;
	ignored;
	phrases = /* @__PURE__ */ new Map();
	measured;
	constructor(e) {
		this.finder = e, this.ignored = new Set(e.ignored);
		for (let { term: t, words: n } of e.glossary) for (let e of n) {
			let n = e.split(/\s+/).filter(Boolean).join(" ");
			n && this.phrases.set(n, (this.phrases.get(n) ?? /* @__PURE__ */ new Set()).add(t));
		}
		this.measured = new Set(e.topics.flatMap(({ needs: e, terms: t }) => [...e, ...t]));
	}
	units(e) {
		let t = this.words(e), n = [];
		for (let e = 0; e < t.length;) {
			let r = Math.min(Wi, t.length - e);
			for (; r > 1 && !this.phrases.has(t.slice(e, e + r).join(" "));) r--;
			let i = t.slice(e, e + r), a = this.phrases.get(i.join(" ")) ?? this.alike(i[0]);
			n.push({
				words: i.join(" "),
				terms: a,
				all: /* @__PURE__ */ new Set([...a, i.join(" ")])
			}), e += r;
		}
		return n;
	}
	words(e) {
		let t = e.toLowerCase(), n = [...t.matchAll(Ji)].map((e) => [e.index, e.index + e[0].length]), r = Yi.exec(t), i = [...t.matchAll(/[\p{L}\p{N}]+/gu)], a = i.every(([e]) => this.ignored.has(e)), o = [];
		for (let { 0: e, index: t } of i) (a || n.some(([e, n]) => e < t && t < n) || r !== null && t >= r.index + r[0].length) && this.phrases.has(Ki + e) ? o.push(Ki + e) : this.ignored.has(e) || o.push(this.stem(e));
		return o;
	}
	alike(e) {
		let t = /* @__PURE__ */ new Set();
		if ([...e].length < Gi) return t;
		let n = (e) => [...e].slice(0, Gi).join("");
		for (let [r, i] of this.phrases) if (!r.includes(" ") && [...r].length >= Gi && n(r) === n(e)) for (let e of i) t.add(e);
		return t;
	}
	stem(e) {
		if (qi.some((t) => e.endsWith(t))) return e;
		let t = this.finder.endings.find(([t]) => e.endsWith(t) && [...e].length - t.length >= 3);
		return t ? e.slice(0, e.length - t[0].length) + t[1] : e;
	}
	topics(e) {
		let t = this.finder.topics.map((t) => ({
			topic: t,
			points: Zi(t, e)
		})), n = Math.max(0, ...t.map(({ points: e }) => e));
		return n > 0 ? t.filter(({ points: e }) => e === n).map(({ topic: e }) => e) : [];
	}
	answer(e, t) {
		let n = this.units(e), r = Qi(this.topics(n), t);
		return {
			heads: r,
			missing: this.missing(n, r.length > 0),
			asked: new Set(n.flatMap(({ terms: e }) => [...e]))
		};
	}
	missing(e, t) {
		let n = new Map(this.finder.glossary.map((e) => [e.term, e])), r = e.filter((e) => e.terms.size > 0 && ![...t ? e.all : e.terms].some((e) => this.measured.has(e))), i = /* @__PURE__ */ new Map();
		for (let e of r) for (let t of [...e.terms].sort()) i.set(n.get(t).command, n.get(t).title);
		return [...i].map(([e, t]) => ({
			title: t,
			command: e
		}));
	}
};
function Zi(e, t) {
	let n = new Set(e.needs), [r, i] = [0, !1];
	for (let { all: a } of t) {
		let t = e.needs.filter((e) => a.has(e));
		t.forEach((e) => n.delete(e)), t.length > 0 && (i = !0), r += t.length > 0 ? 2 : +!!e.terms.some((e) => a.has(e));
	}
	return i ? r - .5 * n.size : 0;
}
function Qi(e, t) {
	let n = /* @__PURE__ */ new Map(), r = Math.max(0, ...e.map(({ heads: e }) => e.length));
	for (let t = 0; t < r; t++) for (let r of e) t < r.heads.length && !n.has(r.heads[t]) && n.set(r.heads[t], {
		topic: r,
		rank: t
	});
	return [...n.values()].slice(0, t);
}
function $i(e, t, n = null) {
	if (t === null) return "–";
	if (e.unit === "share") {
		let e = n === null ? "" : ` ± ${ea(100 * n, 1)}`;
		return `${(100 * t).toFixed(1)}${e} %`;
	}
	let r = n === null ? "" : ` ± ${ea(n, ra(t))}`, i = [
		"nats",
		"tokens' worth",
		"tokens",
		"tokens²"
	].includes(e.unit) ? ` ${e.unit}` : "";
	return `${ia(t)}${r}${i}`;
}
function ea(e, t) {
	return e > 0 && e < .5 * 10 ** -t ? `<${(10 ** -t).toFixed(t)}` : e.toFixed(t);
}
function ta(e, t) {
	return t === null ? "–" : e.unit === "share" ? (100 * t).toFixed(1) : ia(t);
}
function na(e, t) {
	let n = t.map((t) => e.unit === "share" ? 100 * t : t), r = Math.abs((n[1] ?? 1) - (n[0] ?? 0)), i = Math.max(0, Math.min(6, -Math.floor(Math.log10(r) + 1e-9)));
	return n.map((e) => ca(e.toFixed(i)));
}
var ra = (e) => Math.abs(e) >= .1 ? 2 : 4;
function ia(e, t = ra(e)) {
	return e !== 0 && Math.abs(e) < .5 * 10 ** -t ? ca(e.toExponential(1)) : ca(oa(t).format(e));
}
var aa = [];
function oa(e) {
	return aa[e] ??= new Intl.NumberFormat("en-US", {
		minimumFractionDigits: e,
		maximumFractionDigits: e
	});
}
function sa(e) {
	return (e > 0 ? "+" : "") + ia(e, 4);
}
var ca = (e) => e.replaceAll("-", "−");
function la(e, t, n) {
	let r = (e) => Math.round(100 * e).toString();
	return t === null || n === null ? `${r(e)} %` : `${r(e)} % (95 %: ${r(t)}–${r(n)})`;
}
function ua(e) {
	return e === null ? "" : e < .001 ? "p < 0.001" : `p = ${e.toFixed(3)}`;
}
function da(e, t) {
	return `${e.toLocaleString("en-US")} ${t}${e === 1 ? "" : "s"}`;
}
function fa(e) {
	return `${e}${e % 100 >= 11 && e % 100 <= 13 ? "th" : [
		"th",
		"st",
		"nd",
		"rd"
	][e % 10] ?? "th"}`;
}
function pa(e) {
	return e < 26 ? String.fromCharCode(97 + e) : pa(Math.floor(e / 26) - 1) + pa(e % 26);
}
function ma(e) {
	let [t, n] = e.split(" ");
	return t === "chapter" ? pa(Number(n)) : String(Number(n) + 1);
}
function ha(e, t) {
	return e.map((e) => typeof e == "number" ? t[e] : e).join("");
}
// src/report/book.ts
var ga = class {
	document;
	data;
	count;
	matcher;
	overview;
	places;
	keys;
	ranks = /* @__PURE__ */ new Map();
	constructor(e, t) {
		this.document = e, this.data = t;
		let { address: n, kind: r } = e.heads;
		this.count = n.length, this.matcher = new Xi(e.finder), this.places = new Map(n.map((e, t) => [e, t])), n.forEach((e, t) => {
			let n = e.split(".").slice(-2).join(".");
			this.places.has(n) || this.places.set(n, t), this.places.set(`${r[t]}.${n}`, t);
		});
		let { statistics: i } = e;
		this.keys = new Map(i.map(({ key: e }, t) => [e.toLowerCase(), t])), this.overview = i.flatMap(({ overview: e, family: t, name: n }, r) => e || t === "effect" && n !== "gate_gradient" ? [r] : []);
		for (let [e, { name: t, short: n }] of i.entries()) for (let r of [t, n.replaceAll(" ", "_")]) {
			let n = this.keys.get(r.toLowerCase());
			(n === void 0 || !i[n].overview && i[e].overview && i[n].name === t) && this.keys.set(r.toLowerCase(), e);
		}
		let a = i.findIndex(({ family: e }) => e === "effect");
		a >= 0 && !this.keys.has("effect") && this.keys.set("effect", a);
	}
	head(e) {
		return this.places.get(e.trim()) ?? null;
	}
	address(e) {
		return this.document.heads.address[e];
	}
	named(e) {
		return this.keys.get(e.toLowerCase()) ?? null;
	}
	sentences(e) {
		return this.document.cards[e].sentences.map((e) => ha(e, this.document.heads.address)).join(" ");
	}
	name(e, t) {
		let n = e.heads[t];
		return n === null ? null : e.choices[n];
	}
	calledFirst(e) {
		for (let t of [
			"pattern",
			"behaviour",
			"shape"
		]) {
			let n = this.document.names.find((e) => e.kind === t), r = n && this.name(n, e);
			if (r && r.name !== "none") return r;
		}
		return null;
	}
	rank(e, t) {
		let n = this.ranks.get(e);
		return n || this.ranks.set(e, n = this.ranked(e)), n.get(t) ?? null;
	}
	ranked(e) {
		let { values: t } = this.document.statistics[e], n = /* @__PURE__ */ new Map();
		for (let { kind: e } of this.document.model.grids) {
			let r = [...t.keys()].filter((n) => t[n] !== null && this.document.heads.kind[n] === e);
			r.sort((e, n) => t[n] - t[e]);
			for (let e = 0, i; e < r.length; e = i) {
				for (i = e + 1; i < r.length && t[r[i]] === t[r[e]];) i++;
				for (let t of r.slice(e, i)) n.set(t, {
					place: e + 1,
					sharing: i - e,
					of: r.length
				});
			}
		}
		return n;
	}
	rankText(e, t) {
		let n = this.rank(e, t);
		if (!n || n.of < 2) return "";
		let { place: r, sharing: i, of: a } = n;
		if (i === a) return `the same in all ${a}`;
		let o = a - r - i + 2, [s, c] = r <= o ? [r, "highest"] : [o, "lowest"];
		return `${s === 1 ? "" : `${fa(s)} `}${c} of ${a}`;
	}
	domain(e) {
		let { values: t, low: n, baseline: r } = this.document.statistics[e], i = t.filter((e) => e !== null);
		if (r !== void 0 && i.push(r), i.length === 0) return [0, 1];
		let [a, o] = [Math.min(...i), Math.max(...i)], s = n === 0 ? 0 : Math.min(a, 0);
		return o > s ? [s, o] : [s, s + 1];
	}
	note(e, t = null) {
		let n = [e.definition], r = t === null ? null : typeof e.n == "number" ? e.n : e.n[t];
		r !== null && n.push(`${da(r, "item")} for this head; ± is one standard error.`);
		let { documents: i } = this.document.chapters[e.chapter];
		i !== null && n.push(`From ${da(i, "document")}.`);
		let a = t === null ? null : e.chances?.[t] ?? null;
		return a === null ? e.baseline === void 0 ? e.chance && n.push(`By chance: ${e.chance}.`) : n.push(`Baseline: ${(100 * e.baseline).toFixed(1)} %.`) : n.push(`By chance: ${a.toPrecision(2)}.`), n;
	}
	read(e) {
		let { read: t, documents: n } = this.document.chapters[e];
		return [...t, n === null ? "" : da(n, "document")].filter(Boolean).join(", ");
	}
	cardData(e) {
		let { statistics: t, names: n, cards: r, model: i, made: a } = this.document, o = t.flatMap(({ key: t, unit: n, definition: r, values: i, stderr: a, n: o }) => i[e] === null ? [] : [{
			key: t,
			value: i[e],
			stderr: a[e],
			n: typeof o == "number" ? o : o[e],
			unit: n,
			definition: r
		}]), s = n.map((t) => ({
			kind: t.kind,
			name: this.name(t, e)?.name ?? null,
			confidence: t.confidence[e]
		})), { relations: c, effects: l, changes: u, matches: d } = r[e];
		return {
			model: i.name,
			head: this.address(e),
			sentences: r[e].sentences.map((e) => ha(e, this.document.heads.address)),
			names: s,
			statistics: o,
			relations: c,
			effects: l,
			changes: u,
			matches: d,
			made: a
		};
	}
	weights(e) {
		let [t, n] = e.weights.shape;
		return {
			bytes: Ri(this.data, e.weights),
			rows: t,
			columns: n
		};
	}
}, _a = "attlas.report/1";
function va(e, t) {
	if (e.schema !== "attlas.report/1") throw Error(`This page shows ${_a}; the file holds ${String(e.schema)}.`);
	if (e.bytes !== t) throw Error(`The file was cut: ${t} of ${e.bytes} bytes of maps are here.`);
	let n = e.heads.address.length;
	if (e.cards.length !== n || e.statistics.some(({ values: e }) => e.length !== n)) throw Error(`The file does not fit its ${n} heads.`);
}
// node_modules/svelte/src/internal/disclose-version.js
typeof window < "u" && ((window.__svelte ??= {}).v ??= /* @__PURE__ */ new Set()).add("5");
// src/draw/marks.ts
function ya(e, t = 28) {
	let n = [...e];
	return n.length > t ? n.slice(0, t - 1).join("") + "…" : e;
}
// src/core/download.ts
function ba(e, t) {
	let n = document.createElement("a");
	n.href = URL.createObjectURL(e), n.download = t, n.click(), setTimeout(() => URL.revokeObjectURL(n.href), 1e4);
}
// src/report/exporting.ts
function xa(e, t) {
	let { width: n, height: r } = e.viewBox.baseVal, i = e.cloneNode(!0);
	for (let e of i.querySelectorAll("a")) e.replaceWith(...e.childNodes);
	i.setAttribute("xmlns", "http://www.w3.org/2000/svg"), i.setAttribute("width", String(n)), i.setAttribute("height", String(r)), i.setAttribute("font-family", Bi);
	for (let e of [
		"class",
		"style",
		"role"
	]) i.removeAttribute(e);
	let a = document.createElementNS("http://www.w3.org/2000/svg", "rect");
	return a.setAttribute("width", "100%"), a.setAttribute("height", "100%"), a.setAttribute("fill", t), i.prepend(a), {
		text: new XMLSerializer().serializeToString(i),
		width: n,
		height: r
	};
}
function Sa(e, t) {
	return new Blob([xa(e, t).text], { type: "image/svg+xml" });
}
var Ca = (e, t) => wa(xa(e, t));
async function wa({ text: e, width: t, height: n }, r = 2) {
	let i = new Image();
	i.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(e)}`, await i.decode();
	let a = document.createElement("canvas");
	return [a.width, a.height] = [Math.ceil(t * r), Math.ceil(n * r)], a.getContext("2d").drawImage(i, 0, 0, a.width, a.height), new Promise((e, t) => a.toBlob((n) => n ? e(n) : t(/* @__PURE__ */ Error("The picture is too large.")), "image/png"));
}
function Ta(e, t) {
	let { names: n, statistics: r, heads: i } = e.document;
	return [[
		"head",
		"kind",
		"layer",
		"number",
		...n.flatMap(({ kind: e }) => [e, `${e} confidence`]),
		...r.flatMap(({ key: e }) => [e, `${e} stderr`])
	], ...t.map((t) => [
		e.address(t),
		i.kind[t],
		i.layer[t],
		i.head[t],
		...n.flatMap((n) => [e.name(n, t)?.name ?? "", n.confidence[t] ?? ""]),
		...r.flatMap(({ values: e, stderr: n }) => [e[t] ?? "", n[t] ?? ""])
	])].map((e) => e.map(Ea).join(",")).join("\r\n") + "\r\n";
}
function Ea(e) {
	if (typeof e == "number") return String(e);
	let t = /^[=+\-@\t\r]/.test(e) && !/^-?\d/.test(e) ? `'${e}` : e;
	return /[",\r\n]/.test(t) ? `"${t.replaceAll("\"", "\"\"")}"` : t;
}
function Da(e, t) {
	let { cards: n, names: r, statistics: i, chapters: a, heads: o, model: s, made: c } = e.document, l = n[t], u = [
		`# Head ${e.address(t)} of ${Oa(s.title)}`,
		"",
		...l.sentences.map((e) => Oa(ha(e, o.address))),
		""
	], d = r.flatMap((n) => {
		let r = e.name(n, t);
		return r ? [`- ${n.title}: ${Oa(r.title)} (${Math.round(100 * (n.confidence[t] ?? 0))} %)`] : [];
	});
	if (d.length > 0 && u.push("## Names", "", ...d, ""), l.relations.length > 0) {
		u.push("## Relations", "", "| relation | way | found | baseline | p | n |", "|---|---|---|---|---|---|");
		for (let e of l.relations) u.push(`| ${Oa(e.title)} | ${Oa(e.way)} | ${la(e.value, e.low, e.high)} | ${e.baseline === null ? "" : `${la(e.baseline, null, null)} (${Oa(e.baseline_title)})`} | ${ua(e.p)} | ${e.n} |`);
		u.push("");
	}
	if (l.effects.length > 0) {
		u.push("## Disabled", "");
		for (let e of l.effects) u.push(`- ${Oa(e.edit_title)}: ${Oa(e.score)} ${sa(e.change)}${e.low === null || e.high === null ? "" : ` (95 %: ${sa(e.low)} to ${sa(e.high)})`}${e.p === null ? "" : `, ${ua(e.p)}`}, ${e.n} items`);
		u.push("");
	}
	return u.push("## Statistics", "", "| statistic | value | among heads | corpus |", "|---|---|---|---|"), i.forEach((n, r) => {
		n.values[t] !== null && u.push(`| ${Oa(n.title)} | ${$i(n, n.values[t], n.stderr[t])} | ${e.rankText(r, t)} | ${Oa(a[n.chapter].corpus)} |`);
	}), [
		...u,
		"",
		`Made with Attlas ${c.attlas} from ${Oa(c.atlas)}, ${c.when}.`,
		""
	].join("\n");
}
var Oa = (e) => e.replace(/[\\`*_{}[\]<>|#]/g, "\\$&").replace(/\s+/g, " "), ka = /* @__PURE__ */ K("<th scope=\"col\" class=\"name svelte-x41cjd\"><button type=\"button\" class=\"svelte-x41cjd\"> </button></th>"), Aa = /* @__PURE__ */ K("<th scope=\"col\" class=\"number svelte-x41cjd\"><button type=\"button\" class=\"svelte-x41cjd\"> </button><sup class=\"note\"> </sup></th>"), ja = /* @__PURE__ */ K("<i class=\"svelte-x41cjd\"></i><bdi> </bdi>", 1), Ma = /* @__PURE__ */ K("<td class=\"name svelte-x41cjd\"><!></td>"), Na = /* @__PURE__ */ K("<td class=\"number svelte-x41cjd\"> </td>"), Pa = /* @__PURE__ */ K("<tr class=\"svelte-x41cjd\"><th scope=\"row\" class=\"svelte-x41cjd\"><a> </a></th><!><!></tr>"), Fa = /* @__PURE__ */ K("<button type=\"button\"> </button>"), Ia = /* @__PURE__ */ K("<div class=\"scroll svelte-x41cjd\" tabindex=\"0\" role=\"region\" aria-label=\"Table of heads\"><table class=\"svelte-x41cjd\"><thead class=\"svelte-x41cjd\"><tr><th scope=\"col\" class=\"svelte-x41cjd\"><button type=\"button\" class=\"svelte-x41cjd\"> </button></th><!><!></tr></thead><tbody class=\"svelte-x41cjd\"></tbody></table></div> <p class=\"tools svelte-x41cjd\"><!> <button type=\"button\">CSV with all statistics</button></p>", 1);
function La(e, t) {
	j(t, !0);
	let n = Fi(t, "more", 19, () => []), r = Fi(t, "first", 3, 24), i = A("report"), { book: a } = i, { statistics: o, names: s } = a.document, c = /* @__PURE__ */ F(!1), l = /* @__PURE__ */ N(() => [.../* @__PURE__ */ new Set([...n(), ...a.overview])]), u = /* @__PURE__ */ N(() => i.sort.replace(/^-/, "")), d = /* @__PURE__ */ N(() => i.sort.startsWith("-")), f = /* @__PURE__ */ N(() => {
		if (!W(u)) return t.heads;
		let e = [...t.heads], n = s.find((e) => e.kind === W(u));
		if (W(u) === "head") e.sort((e, t) => e - t);
		else if (n) e.sort((e, t) => (a.name(n, e)?.title ?? "~").localeCompare(a.name(n, t)?.title ?? "~") || e - t);
		else {
			let t = o[a.named(W(u)) ?? 0].values;
			e.sort((e, n) => (t[n] ?? -Infinity) - (t[e] ?? -Infinity) || e - n);
		}
		return W(d) ? e.reverse() : e;
	}), p = /* @__PURE__ */ N(() => W(c) || i.printing === "all" ? W(f) : W(f).slice(0, r())), m = (e) => i.go({ sort: W(u) === e ? W(d) ? "" : `-${e}` : e }), h = (e) => W(u) === e ? W(d) ? "ascending" : "descending" : "none", g = (e) => W(u) === e ? W(d) ? " ↑" : " ↓" : "";
	var _ = Ia(), v = R(_), y = L(v), b = L(y), x = L(b), S = L(x), C = L(S), w = z(C);
	O(S);
	var ee = B(S);
	Q(ee, 17, () => s, ({ kind: e, title: t }) => e, (e, t) => {
		let n = () => W(t).kind, r = () => W(t).title;
		var i = ka(), a = L(i), o = z(a);
		O(i), V((e, t) => {
			$(i, "aria-sort", e), $(a, "title", r()), Y(o, `${n() ?? ""}${t ?? ""}`);
		}, [() => h(n()), () => g(n())]), G("click", a, () => m(n())), J(e, i);
	}), Q(B(ee), 16, () => W(l), (e) => e, (e, t) => {
		let n = /* @__PURE__ */ N(() => {
			let { key: e, short: n, unit: r } = o[t];
			return {
				own: e,
				short: n,
				unit: r
			};
		});
		var r = Aa(), i = L(r), a = z(i), s = z(B(i), !0);
		O(r), V((e, o) => {
			$(r, "aria-sort", e), $(i, "data-tells", `statistic ${t ?? ""}`), Y(a, `${W(n).short ?? ""}${W(n).unit === "share" ? ", %" : ""}${o ?? ""}`), Y(s, t + 1);
		}, [() => h(W(n).own), () => g(W(n).own)]), G("click", i, () => m(W(n).own)), J(e, r);
	}), O(x), O(b);
	var te = B(b);
	Q(te, 20, () => W(p), (e) => e, (e, t) => {
		var n = Pa(), r = L(n), c = L(r), u = z(c, !0);
		O(r);
		var d = B(r);
		Q(d, 17, () => s, (e) => e.kind, (e, n) => {
			let r = /* @__PURE__ */ N(() => a.name(W(n), t));
			var o = Ma(), s = L(o), c = (e) => {
				var t = ja(), n = R(t);
				let a;
				var o = z(B(n), !0);
				V(() => {
					a = di(n, "", a, { background: i.dark ? W(r).dark : W(r).light }), Y(o, W(r).title);
				}), J(e, t);
			};
			X(s, (e) => {
				W(r) && W(r).name !== "none" && e(c);
			}), O(o), J(e, o);
		}), Q(B(d), 16, () => W(l), (e) => e, (e, n) => {
			var r = Na(), i = z(r, !0);
			V((e) => {
				$(r, "data-tells", `statistic ${n ?? ""} ${t ?? ""}`), Y(i, e);
			}, [() => ta(o[n], o[n].values[t])]), J(e, r);
		}), O(n), V((e, n) => {
			$(c, "href", e), $(c, "data-tells", `head ${t ?? ""}`), Y(u, n);
		}, [() => i.link(t), () => a.address(t)]), J(e, n);
	}), O(te), O(y), O(v);
	var ne = B(v, 2), re = L(ne), ie = (e) => {
		var t = Fa(), n = z(t);
		V((e) => Y(n, `Show all ${e ?? ""}`), [() => da(W(f).length, "head")]), G("click", t, () => I(c, !0)), J(e, t);
	};
	X(re, (e) => {
		W(f).length > W(p).length && e(ie);
	});
	var ae = B(re, 2);
	O(ne), V((e, t) => {
		$(S, "aria-sort", e), Y(w, `head${t ?? ""}`);
	}, [() => h("head"), () => g("head")]), G("click", C, () => m("head")), G("click", ae, () => ba(new Blob([Ta(a, W(f))], { type: "text/csv" }), `${a.document.model.title.replace(/[^\w.-]+/g, "-")}-heads.csv`)), J(e, _), M();
}
wr(["click"]);
// src/report/Words.svelte
var Ra = /* @__PURE__ */ K("<a class=\"inline svelte-1a2qb0f\"> </a>"), za = /* @__PURE__ */ K("<span class=\"measured\" tabindex=\"0\"> </span>"), Ba = /* @__PURE__ */ K("<sup class=\"note\"> </sup>"), Va = /* @__PURE__ */ K("<!><!>", 1);
function Ha(e, t) {
	j(t, !0);
	let n = Fi(t, "about", 3, ""), r = A("report"), i = /(\d[^()]*\([^)]*\)|(?<![\w.])\d[\d.,–]*(?: %)?)/, a = (e) => n() ? e.split(i) : [e];
	var o = Va(), s = R(o);
	Q(s, 17, () => t.sentence, Z, (e, t) => {
		var i = Pr(), o = R(i), s = (e) => {
			var n = Ra(), i = z(n, !0);
			V((e, r) => {
				$(n, "href", e), $(n, "data-tells", `head ${W(t) ?? ""}`), Y(i, r);
			}, [() => r.link(W(t)), () => r.book.address(W(t))]), J(e, n);
		}, c = (e) => {
			var r = Pr();
			Q(R(r), 17, () => a(W(t)), Z, (e, t, r) => {
				var i = Pr(), a = R(i), o = (e) => {
					var r = za(), i = z(r, !0);
					V(() => {
						$(r, "data-tells", n()), Y(i, W(t));
					}), J(e, r);
				}, s = (e) => {
					var n = Nr();
					V(() => Y(n, W(t))), J(e, n);
				};
				X(a, (e) => {
					r % 2 ? e(o) : e(s, -1);
				}), J(e, i);
			}), J(e, r);
		};
		X(o, (e) => {
			typeof W(t) == "number" ? e(s) : e(c, -1);
		}), J(e, i);
	});
	var c = B(s), l = (e) => {
		var t = Ba(), r = z(t, !0);
		V((e) => Y(r, e), [() => ma(n())]), J(e, t);
	};
	X(c, (e) => {
		n() && e(l);
	}), J(e, o), M();
}
// src/report/Answers.svelte
var Ua = /* @__PURE__ */ K("<p class=\"warning svelte-15e2dk5\"><code> </code> </p>"), Wa = /* @__PURE__ */ K("<p class=\"warning svelte-15e2dk5\"> <code> </code></p>"), Ga = /* @__PURE__ */ K("<p class=\"warning svelte-15e2dk5\"> </p>"), Ka = /* @__PURE__ */ K(" <!>", 1), qa = /* @__PURE__ */ K("<li class=\"svelte-15e2dk5\"><a class=\"address svelte-15e2dk5\"> </a> <p></p></li>"), Ja = /* @__PURE__ */ K("<!> <p class=\"tools svelte-15e2dk5\"><button type=\"button\"> </button></p>", 1), Ya = /* @__PURE__ */ K("<section aria-labelledby=\"attlas-found\" class=\"svelte-15e2dk5\"><h1 id=\"attlas-found\" tabindex=\"-1\" class=\"svelte-15e2dk5\"> <small class=\"svelte-15e2dk5\"><!></small></h1> <!> <!> <!> <ol class=\"answers svelte-15e2dk5\"></ol> <!></section>");
function Xa(e, t) {
	j(t, !0);
	let n = A("report"), { book: r } = n, i = /* @__PURE__ */ N(() => n.found), a = /* @__PURE__ */ N(() => W(i).query.conditions.flatMap(({ statistic: e }) => e === null ? [] : [e])), o = /* @__PURE__ */ N(() => [...new Set(W(i).answers.map(({ about: e }) => e).filter(Boolean))]), s = /* @__PURE__ */ F(!1);
	async function c() {
		await navigator.clipboard.writeText(location.href), I(s, !0), setTimeout(() => I(s, !1), 2e3);
	}
	var l = Ya(), u = L(l), d = L(u, !0), f = B(d), p = L(f), m = (e) => {
		var t = Nr();
		V((e) => Y(t, `by ${e ?? ""}`), [() => W(o).join(", ")]), J(e, t);
	};
	X(p, (e) => {
		W(o).length > 0 && e(m);
	}), O(f), O(u);
	var h = B(u, 2);
	Q(h, 17, () => W(i).query.conditions.filter(({ problem: e }) => e), ({ written: e, problem: t }) => e, (e, t) => {
		let n = () => W(t).written, r = () => W(t).problem;
		var i = Ua(), a = L(i), o = z(a, !0), s = B(a);
		O(i), V(() => {
			Y(o, n()), Y(s, `: ${r() ?? ""}.`);
		}), J(e, i);
	});
	var g = B(h, 2);
	Q(g, 17, () => W(i).missing, ({ title: e, command: t }) => t, (e, t) => {
		let n = () => W(t).title, r = () => W(t).command;
		var i = Wa(), a = L(i), o = z(B(a), !0);
		O(i), V(() => {
			Y(a, `The atlas has not measured ${n() ?? ""}. This would: `), Y(o, r());
		}), J(e, i);
	});
	var _ = B(g, 2), v = (e) => {
		var t = Ga(), n = z(t, !0);
		V(() => Y(n, W(i).note)), J(e, t);
	};
	X(_, (e) => {
		W(i).note && e(v);
	});
	var y = B(_, 2);
	Q(y, 21, () => W(i).answers, ({ head: e, sentences: t, tells: n, sure: r }) => e, (e, t) => {
		let i = () => W(t).head, a = () => W(t).sentences, o = () => W(t).tells, s = () => W(t).sure;
		var c = qa(), l = L(c), u = z(l, !0), d = B(l, 2);
		let f;
		Q(d, 21, a, Z, (e, t, n) => {
			Ee();
			var r = Ka(), i = R(r, !0);
			i.nodeValue = n ? " " : "", Ha(B(i), {
				get sentence() {
					return W(t);
				},
				get about() {
					return o()[n];
				}
			}), J(e, r);
		}), O(d), O(c), V((e, t) => {
			$(l, "href", e), $(l, "data-tells", `head ${i() ?? ""}`), Y(u, t), f = li(d, 1, "svelte-15e2dk5", null, f, { unsure: !s() });
		}, [() => n.link(i()), () => r.address(i())]), J(e, c);
	}), O(y);
	var b = B(y, 2), x = (e) => {
		var t = Ja(), n = R(t);
		La(n, {
			get heads() {
				return W(i).heads;
			},
			get more() {
				return W(a);
			},
			first: 48
		});
		var r = B(n, 2), o = L(r), l = z(o, !0);
		O(r), V(() => Y(l, W(s) ? "Copied" : "Copy a link to this result")), G("click", o, c), J(e, t);
	};
	X(b, (e) => {
		W(i).heads.length > 0 && e(x);
	}), O(l), V((e) => Y(d, e), [() => W(i).heads.length === 0 ? "No head" : da(W(i).heads.length, "head")]), J(e, l), M();
}
wr(["click"]);
// src/report/Interval.svelte
var Za = /* @__PURE__ */ q("<path stroke-opacity=\"0.45\" stroke-width=\"4\" stroke-linecap=\"round\"></path>"), Qa = /* @__PURE__ */ q("<path stroke-width=\"1.5\"></path>"), $a = /* @__PURE__ */ q("<svg class=\"strip\" height=\"22\" aria-hidden=\"true\"><path></path><!><!><circle cy=\"11\" r=\"5\" stroke-width=\"1.5\"></circle></svg>");
function eo(e, t) {
	j(t, !0);
	let n = A("report"), r = /* @__PURE__ */ N(() => n.colours), i = /* @__PURE__ */ N(() => (e) => 6 + 188 * (Math.max(t.from, Math.min(t.to, e)) - t.from) / (t.to - t.from || 1));
	var a = $a();
	$(a, "viewBox", "0 0 200 22"), $(a, "width", 200);
	var o = L(a);
	$(o, "d", "M6 16H194");
	var s = B(o), c = (e) => {
		var n = Za();
		V((e, t) => {
			$(n, "d", `M${e ?? ""} 11H${t ?? ""}`), $(n, "stroke", W(r).accent);
		}, [() => W(i)(t.low), () => W(i)(t.high)]), J(e, n);
	};
	X(s, (e) => {
		t.low !== null && t.high !== null && e(c);
	});
	var l = B(s), u = (e) => {
		var n = Qa();
		V((e) => {
			$(n, "d", `M${e ?? ""} 2V20`), $(n, "stroke", W(r).negative);
		}, [() => W(i)(t.against)]), J(e, n);
	};
	X(l, (e) => {
		t.against !== null && e(u);
	});
	var d = B(l);
	O(a), V((e) => {
		$(o, "stroke", W(r).edge), $(d, "cx", e), $(d, "fill", W(r).accent), $(d, "stroke", W(r).page);
	}, [() => W(i)(t.value)]), J(e, a), M();
}
// src/report/CardEvidence.svelte
var to = /* @__PURE__ */ K("<tr><th scope=\"row\"> <small> </small></th><td class=\"picture\"><!></td><td class=\"value\"><span class=\"measured\" tabindex=\"0\"> </span><sup class=\"note\"> </sup></td><td class=\"rank\"><!><small> </small></td></tr>"), no = /* @__PURE__ */ K("<section><h2>Relations it tracks</h2> <table class=\"strips intervals\"><tbody></tbody></table></section>"), ro = /* @__PURE__ */ K("<tr><th scope=\"row\"> <small> </small></th><td class=\"picture\"><!></td><td class=\"value\"><span class=\"measured\" tabindex=\"0\"> <!></span><sup class=\"note\"> </sup></td><td class=\"rank\"> <small> </small></td></tr>"), io = /* @__PURE__ */ K("<section><h2>Without it</h2> <table class=\"strips intervals\"><tbody></tbody></table></section>"), ao = /* @__PURE__ */ K("<li><span class=\"measured\"> <bdi> </bdi></span><sup class=\"note\"> </sup><!>.</li>"), oo = /* @__PURE__ */ K("<li>In <bdi> </bdi> <span class=\"measured\"> </span><sup class=\"note\"> </sup> </li>"), so = /* @__PURE__ */ K("<section><h2>In another model</h2> <ul><!> <!></ul></section>"), co = /* @__PURE__ */ K("<!> <!> <!>", 1);
function lo(e, t) {
	j(t, !0);
	let n = /* @__PURE__ */ N(() => Math.max(1e-9, ...t.card.effects.flatMap(({ change: e, low: t, high: n }) => [
		e,
		t ?? 0,
		n ?? 0
	].map(Math.abs)))), r = (e) => e === null ? "" : `${Math.round(100 * e)} %`;
	var i = co(), a = R(i), o = (e) => {
		var n = no(), i = B(L(n), 2), a = L(i);
		Q(a, 21, () => t.card.relations, Z, (e, t) => {
			var n = to();
			let i;
			var a = L(n), o = L(a, !0), s = z(B(o), !0);
			O(a);
			var c = B(a);
			eo(L(c), {
				get value() {
					return W(t).value;
				},
				get low() {
					return W(t).low;
				},
				get high() {
					return W(t).high;
				},
				get against() {
					return W(t).baseline;
				},
				from: 0,
				to: 1
			}), O(c);
			var l = B(c), u = L(l), d = z(u, !0), f = z(B(u), !0);
			O(l);
			var p = B(l), m = L(p), h = (e) => {
				var n = Nr();
				V((e) => Y(n, `${W(t).baseline_title ?? ""}: ${e ?? ""}`), [() => r(W(t).baseline)]), J(e, n);
			};
			X(m, (e) => {
				W(t).baseline !== null && e(h);
			});
			var g = z(B(m), !0);
			O(p), O(n), V((e, r, a) => {
				i = li(n, 1, "", null, i, { unsure: !W(t).sure }), Y(o, W(t).title), Y(s, W(t).way), $(u, "data-tells", `chapter ${W(t).chapter ?? ""}`), Y(d, e), Y(f, r), Y(g, a);
			}, [
				() => la(W(t).value, W(t).low, W(t).high),
				() => pa(W(t).chapter),
				() => [
					W(t).sure ? "" : "could be chance",
					ua(W(t).p),
					`n = ${W(t).n}`
				].filter(Boolean).join(", ")
			]), J(e, n);
		}), O(a), O(i), O(n), J(e, n);
	};
	X(a, (e) => {
		t.card.relations.length > 0 && e(o);
	});
	var s = B(a, 2), c = (e) => {
		var r = io(), i = B(L(r), 2), a = L(i);
		Q(a, 21, () => t.card.effects, Z, (e, t) => {
			var r = ro();
			let i;
			var a = L(r), o = L(a, !0), s = z(B(o), !0);
			O(a);
			var c = B(a), l = L(c);
			{
				let e = /* @__PURE__ */ N(() => -W(n));
				eo(l, {
					get value() {
						return W(t).change;
					},
					get low() {
						return W(t).low;
					},
					get high() {
						return W(t).high;
					},
					against: 0,
					get from() {
						return W(e);
					},
					get to() {
						return W(n);
					}
				});
			}
			O(c);
			var u = B(c), d = L(u), f = L(d, !0), p = B(f), m = (e) => {
				var n = Nr();
				V((e, t) => Y(n, ` (95 %: ${e ?? ""} to ${t ?? ""})`), [() => sa(W(t).low), () => sa(W(t).high)]), J(e, n);
			};
			X(p, (e) => {
				W(t).low !== null && W(t).high !== null && e(m);
			}), O(d);
			var h = z(B(d), !0);
			O(u);
			var g = B(u), _ = L(g), v = z(B(_), !0);
			O(g), O(r), V((e, n, a, c, l) => {
				i = li(r, 1, "", null, i, { unsure: W(t).p === null || W(t).p >= .05 }), Y(o, W(t).score), Y(s, W(t).edit_title), $(d, "data-tells", `chapter ${W(t).chapter ?? ""}`), Y(f, e), Y(h, n), Y(_, `${a ?? ""} → ${c ?? ""}`), Y(v, l);
			}, [
				() => sa(W(t).change),
				() => pa(W(t).chapter),
				() => ia(W(t).plain, 4),
				() => ia(W(t).disabled, 4),
				() => [ua(W(t).p), `n = ${W(t).n}`].filter(Boolean).join(", ")
			]), J(e, r);
		}), O(a), O(i), O(r), J(e, r);
	};
	X(s, (e) => {
		t.card.effects.length > 0 && e(c);
	});
	var l = B(s, 2), u = (e) => {
		var n = so(), r = B(L(n), 2), i = L(r);
		Q(i, 17, () => t.card.changes, Z, (e, t) => {
			let n = () => W(t).chapter, r = () => W(t).other, i = () => W(t).title, a = () => W(t).first, o = () => W(t).second, s = () => W(t).low, c = () => W(t).high, l = () => W(t).p;
			var u = ao(), d = L(u), f = L(d), p = z(B(f), !0);
			O(d);
			var m = B(d), h = z(m, !0), g = B(m), _ = (e) => {
				var t = Nr();
				V((e, n, r) => Y(t, ` (95 % of the change: ${e ?? ""} to ${n ?? ""}${r ?? ""})`), [
					() => sa(s()),
					() => sa(c()),
					() => l() === null ? "" : `; ${ua(l())}`
				]), J(e, t);
			};
			X(g, (e) => {
				s() !== null && c() !== null && e(_);
			}), Ee(), O(u), V((e, t, a) => {
				$(d, "data-tells", `chapter ${n() ?? ""}`), Y(f, `${i() ?? ""}: ${e ?? ""} here, ${t ?? ""} in `), Y(p, r()), Y(h, a);
			}, [
				() => a() === null ? "–" : ia(a()),
				() => o() === null ? "–" : ia(o()),
				() => pa(n())
			]), J(e, u);
		}), Q(B(i, 2), 17, () => t.card.matches, Z, (e, t) => {
			let n = () => W(t).chapter, r = () => W(t).other, i = () => W(t).layer, a = () => W(t).head, o = () => W(t).distance, s = () => W(t).own_distance;
			var c = oo(), l = B(L(c)), u = z(l, !0), d = B(l), f = B(d), p = z(f), m = B(f), h = z(m, !0), g = B(m);
			O(c), V((e, t, o) => {
				Y(u, r()), Y(d, `, head ${i() ?? ""}.${a() ?? ""} does most nearly the same: `), $(f, "data-tells", `chapter ${n() ?? ""}`), Y(p, `${e ?? ""} nats apart`), Y(h, t), Y(g, `${o ?? ""}.`);
			}, [
				() => ia(o()),
				() => pa(n()),
				() => s() === null ? "" : ` (the head of the same address: ${ia(s())})`
			]), J(e, c);
		}), O(r), O(n), J(e, n);
	};
	X(l, (e) => {
		(t.card.changes.length > 0 || t.card.matches.length > 0) && e(u);
	}), J(e, i), M();
}
// src/report/cardPicture.ts
var [uo, fo, po] = [
	720,
	32,
	92
], [mo, ho] = [250, 470];
function go(e, t, n) {
	let { model: r, heads: i, statistics: a, cards: o, made: s } = e.document, c = o[t], l = [], u = 48, d = (e, { x: t = fo, size: r = 14, fill: i = n.ink, weight: a = 400 } = {}) => l.push(`<text x="${t}" y="${u}" font-size="${r}" font-weight="${a}" fill="${i}">${yo(e)}</text>`), f = (e) => {
		u += 20, d(e, {
			size: 16,
			weight: 650
		}), u += 24;
	};
	d(`Head ${e.address(t)} of ${r.title}`, {
		size: 24,
		weight: 650
	}), u += 30;
	for (let e of c.sentences) for (let t of vo(ha(e, i.address), po)) d(t), u += 20;
	f("Where it looks");
	for (let [r, i] of a.entries()) i.overview && i.values[t] !== null && (d(i.title), l.push(_o(e, r, t, u - 11, n)), d(`${$i(i, i.values[t], i.stderr[t])}   ${e.rankText(r, t)}`, {
		x: ho,
		size: 12
	}), u += 20);
	if (c.relations.length > 0) {
		f("Relations it tracks");
		for (let e of c.relations) d(e.title), d([
			la(e.value, e.low, e.high),
			e.baseline === null ? "" : `${e.baseline_title} ${la(e.baseline, null, null)}`,
			ua(e.p),
			`n = ${e.n}`
		].filter(Boolean).join(" · "), {
			x: mo,
			size: 12
		}), u += 20;
	}
	if (c.effects.length > 0) {
		f("Without it");
		for (let e of c.effects) d(e.score), d([
			sa(e.change),
			e.low === null || e.high === null ? "" : `95 %: ${sa(e.low)} to ${sa(e.high)}`,
			ua(e.p),
			`n = ${e.n}`
		].filter(Boolean).join(" · "), {
			x: mo,
			size: 12
		}), u += 20;
	}
	u += 16, d(`Attlas ${s.attlas}, ${s.when}${s.atlas ? `, ${s.atlas}` : ""}`, {
		size: 11,
		fill: n.quiet
	});
	let p = u + 24, m = `<rect width="100%" height="100%" fill="${n.page}"/>`;
	return {
		text: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${uo} ${p}" width="${uo}" height="${p}" font-family="${yo(Bi)}">${m}${l.join("")}</svg>`,
		width: uo,
		height: p
	};
}
function _o(e, t, n, r, i) {
	let { values: a } = e.document.statistics[t], o = e.document.heads.kind, [s, c] = e.domain(t), l = (e) => (mo + 180 * (e - s) / (c - s)).toFixed(1), u = a.map((e, t) => e === null || o[t] !== o[n] ? "" : `M${l(e)} ${r + 1}V${r + 11}`).join("");
	return `<path d="M${mo} ${r + 11}H${mo + 180}" stroke="${i.edge}"/><path d="${u}" stroke="${i.quiet}" stroke-opacity="0.35"/><circle cx="${l(a[n])}" cy="${r + 6}" r="4.5" fill="${i.accent}"/>`;
}
function vo(e, t) {
	let n = [];
	for (let r of e.split(" ")) {
		let e = n.at(-1);
		e !== void 0 && e.length + r.length < t ? n[n.length - 1] = `${e} ${r}` : n.push(r);
	}
	return n;
}
var yo = (e) => e.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff\ufffe\uffff]/gu, "�").replace(/[&<>"]/g, (e) => `&#${e.charCodeAt(0)};`);
// src/report/passage.ts
function bo({ tokens: e, gaps: t }, n, r, i = 12) {
	let a = [n, r].filter((e) => e !== null), o = (e) => a.some((t) => Math.abs(e - t) <= i), s = [];
	return e.forEach((e, i) => {
		if (!o(i)) {
			s.at(-1)?.role !== "gap" && s.push({
				text: "…",
				apart: s.length > 0,
				role: "gap"
			});
			return;
		}
		let a = i === n && i === r ? "both" : i === n ? "query" : i === r ? "key" : "";
		s.push({
			text: e,
			apart: s.length > 0 && (t[i] === "s" || s.at(-1).role === "gap"),
			role: a
		});
	}), s;
}
// src/report/Example.svelte
var xo = /* @__PURE__ */ K("<span class=\"arrow\">→</span>"), So = /* @__PURE__ */ K("<bdi> </bdi>"), Co = /* @__PURE__ */ K("<mark><bdi> </bdi></mark>"), wo = /* @__PURE__ */ K(" <!>", 1), To = /* @__PURE__ */ K("<!><!>", 1), Eo = /* @__PURE__ */ K("<li class=\"svelte-viqa4g\"><span class=\"weight svelte-viqa4g\"> </span> <p class=\"svelte-viqa4g\"></p></li>");
function Do(e, t) {
	j(t, !0);
	let { tokens: n } = A("report").book.document, r = /* @__PURE__ */ N(() => t.examples.key_tokens[t.at]), i = /* @__PURE__ */ N(() => {
		let e = n[t.examples.tokens[t.at]];
		return W(r) === null ? [bo(e, t.examples.query[t.at], t.examples.key[t.at])] : [bo(e, t.examples.query[t.at], null), bo(n[W(r)], null, t.examples.key[t.at])];
	}), a = /* @__PURE__ */ N(() => t.examples.weight[t.at]);
	var o = Eo(), s = L(o), c = z(s, !0), l = B(s, 2);
	Q(l, 21, () => W(i), Z, (e, t, n) => {
		var r = To(), i = R(r), o = (e) => {
			J(e, xo());
		};
		X(i, (e) => {
			n && e(o);
		}), Q(B(i), 17, () => W(t), Z, (e, t) => {
			let n = () => W(t).text, r = () => W(t).apart, i = () => W(t).role;
			Ee();
			var o = wo(), s = R(o, !0), c = B(s), l = (e) => {
				var t = So(), r = z(t, !0);
				V(() => {
					li(t, 1, ri(i()), "svelte-viqa4g"), Y(r, n());
				}), J(e, t);
			}, u = (e) => {
				var t = Co();
				let r;
				var o = z(L(t), !0);
				O(t), V((e) => {
					li(t, 1, ri(i()), "svelte-viqa4g"), r = di(t, "", r, { "--strength": e }), Y(o, n());
				}, [() => `${Math.round(20 + 55 * Math.min(1, W(a)))}%`]), J(e, t);
			};
			X(c, (e) => {
				i() === "" || i() === "gap" ? e(l) : e(u, -1);
			}), V(() => Y(s, r() ? " " : "")), J(e, o);
		}), J(e, r);
	}), O(l), O(o), V((e) => Y(c, e), [() => W(a).toFixed(2)]), J(e, o), M();
}
// src/report/ExampleGroups.svelte
var Oo = /* @__PURE__ */ K("<p class=\"quiet\">This atlas keeps only a head's strongest links, which are not typical of it: look at its statistics and its map, too.</p>"), ko = /* @__PURE__ */ K("<button type=\"button\" class=\"more\"> </button>"), Ao = /* @__PURE__ */ K("<h3> </h3> <ul class=\"svelte-1294qqo\"></ul> <!>", 1), jo = /* @__PURE__ */ K("<p class=\"key svelte-1294qqo\">From the <mark class=\"query svelte-1294qqo\">framed</mark> token to the <mark class=\"to svelte-1294qqo\">filled</mark> one, with the weight before it.</p> <!> <!>", 1);
function Mo(e, t) {
	j(t, !0);
	let n = A("report"), r = [
		"weakest fifth",
		"second fifth",
		"middle fifth",
		"fourth fifth",
		"strongest fifth"
	], i = Zt({}), a = /* @__PURE__ */ N(() => {
		let e = (e, n) => ({
			title: e,
			members: [...t.examples.kind.keys()].filter(n)
		});
		return [
			e("Where it is strongest", (e) => t.examples.kind[e] === "strongest"),
			...[
				4,
				3,
				2,
				1,
				0
			].map((n) => e(`From the ${r[n]} of its weights`, (e) => t.examples.kind[e] === "step" && t.examples.step[e] === n)),
			e("Drawn at random, the same tokens for every head", (e) => t.examples.kind[e] === "random"),
			e("At work on a relation", (e) => t.examples.kind[e] === "at_work")
		].filter(({ members: e }) => e.length > 0);
	}), o = /* @__PURE__ */ N(() => !t.examples.kind.some((e) => e === "step" || e === "random"));
	var s = jo(), c = B(R(s), 2), l = (e) => {
		J(e, Oo());
	};
	X(c, (e) => {
		W(o) && e(l);
	}), Q(B(c, 2), 17, () => W(a), ({ title: e, members: t }) => e, (e, r) => {
		let a = () => W(r).title, o = () => W(r).members;
		var s = Ao(), c = R(s), l = z(c, !0), u = B(c, 2);
		Q(u, 20, () => n.printing || i[a()] ? o() : o().slice(0, 3), (e) => e, (e, n) => {
			Do(e, {
				get examples() {
					return t.examples;
				},
				get at() {
					return n;
				}
			});
		}), O(u);
		var d = B(u, 2), f = (e) => {
			var t = ko(), n = z(t);
			V(() => Y(n, `${o().length - 3} more`)), G("click", t, () => i[a()] = !0), J(e, t);
		};
		X(d, (e) => {
			o().length > 3 && !i[a()] && e(f);
		}), V(() => Y(l, a())), J(e, s);
	}), J(e, s), M();
}
wr(["click"]);
// src/report/Save.svelte
var No = /* @__PURE__ */ K("<p class=\"save svelte-jspyl1\"><button type=\"button\">SVG</button> <button type=\"button\">PNG</button></p>");
function Po(e, t) {
	j(t, !0);
	let n = A("report"), r = /* @__PURE__ */ N(() => `${n.book.document.model.title.replace(/[^\w.-]+/g, "-")}-${t.name}`);
	var i = No(), a = L(i), o = B(a, 2);
	O(i), G("click", a, () => t.picture && ba(Sa(t.picture, n.colours.page), `${W(r)}.svg`)), G("click", o, async () => t.picture && ba(await Ca(t.picture, n.colours.page), `${W(r)}.png`)), J(e, i), M();
}
wr(["click"]);
// src/report/HeadGrid.svelte
var Fo = /* @__PURE__ */ q("<text text-anchor=\"end\" dominant-baseline=\"central\"> </text>"), Io = /* @__PURE__ */ q("<text text-anchor=\"middle\"> </text>"), Lo = /* @__PURE__ */ q("<!><!>", 1), Ro = /* @__PURE__ */ q("<a class=\"svelte-9pip0o\"><rect rx=\"5\" class=\"svelte-9pip0o\"></rect></a>"), zo = /* @__PURE__ */ K("<div class=\"under svelte-9pip0o\"><span class=\"quiet\">Layers downwards, heads across.</span> <!></div>"), Bo = /* @__PURE__ */ K("<svg class=\"grid svelte-9pip0o\" role=\"group\"><!><!></svg> <!>", 1);
function Vo(e, t) {
	j(t, !0);
	let n = Fi(t, "chosen", 3, null), r = Fi(t, "small", 3, !1), i = Fi(t, "saved", 3, !1), a = A("report"), { book: o } = a, s = /* @__PURE__ */ N(() => Math.max(1, t.grid.width * 30 / 420, t.grid.layers * 30 / 620)), c = /* @__PURE__ */ N(() => r() ? 0 : 30 * W(s)), l = /* @__PURE__ */ N(() => r() ? 0 : 22 * W(s)), { kind: u, layer: d, head: f } = o.document.heads, p = /* @__PURE__ */ N(() => [...u.keys()].filter((e) => u[e] === t.grid.kind)), m = /* @__PURE__ */ N(() => W(c) + t.grid.width * 30), h = /* @__PURE__ */ N(() => W(l) + t.grid.layers * 30), g = /* @__PURE__ */ N(() => Math.ceil(t.grid.layers / 16)), _ = /* @__PURE__ */ N(() => Math.ceil(t.grid.width / 16)), v = /* @__PURE__ */ F(0), y = /* @__PURE__ */ F(void 0), b = /* @__PURE__ */ N(() => r() ? Math.min(W(m) / 3, 240 * W(m) / W(h)) : W(m) * Math.min(1.15, 620 / W(h)));
	function x(e) {
		let t = {
			ArrowLeft: [0, -1],
			ArrowRight: [0, 1],
			ArrowUp: [-1, 0],
			ArrowDown: [1, 0]
		}[e.key];
		if (!t) return;
		e.preventDefault();
		let n = W(p)[W(v)], r = W(p).findIndex((e) => d[e] === d[n] + t[0] && f[e] === f[n] + t[1]);
		r < 0 || (I(v, r, !0), W(y)?.querySelectorAll("a")[r].focus());
	}
	var S = Bo(), C = R(S);
	let w;
	var ee = L(C), te = (e) => {
		var n = Lo(), r = R(n);
		Q(r, 16, () => Array(Math.ceil(t.grid.layers / W(g))).keys(), (e) => e, (e, t) => {
			var n = Fo(), r = z(n, !0);
			V(() => {
				$(n, "x", W(c) - 8 * W(s)), $(n, "y", W(l) + (t * W(g) + .5) * 30), $(n, "font-size", 11 * W(s)), $(n, "fill", a.colours.quiet), Y(r, t * W(g));
			}), J(e, n);
		}), Q(B(r), 16, () => Array(Math.ceil(t.grid.width / W(_))).keys(), (e) => e, (e, t) => {
			var n = Io(), r = z(n, !0);
			V(() => {
				$(n, "x", W(c) + (t * W(_) + .5) * 30), $(n, "y", W(l) - 10 * W(s)), $(n, "font-size", 11 * W(s)), $(n, "fill", a.colours.quiet), Y(r, t * W(_));
			}), J(e, n);
		}), J(e, n);
	};
	X(ee, (e) => {
		r() || e(te);
	}), Q(B(ee), 18, () => W(p), (e) => e, (e, t, r) => {
		var i = Ro(), s = L(i);
		$(s, "width", 27), $(s, "height", 27), O(i), V((e, o, u, p, m) => {
			$(i, "href", e), $(i, "data-tells", `head ${t ?? ""}`), $(i, "tabindex", W(r) === W(v) ? 0 : -1), $(i, "aria-label", `Head ${o ?? ""}, ${u ?? ""}`), $(i, "aria-current", t === n() ? "page" : void 0), $(s, "x", W(c) + f[t] * 30 + 1.5), $(s, "y", W(l) + d[t] * 30 + 1.5), $(s, "fill", p), $(s, "fill-opacity", m), $(s, "stroke", t === n() || t === a.pointed ? a.colours.ink : a.colours.edge), $(s, "stroke-width", t === n() ? 6 : t === a.pointed ? 2.5 : .75);
		}, [
			() => a.link(t),
			() => o.address(t),
			() => a.says(t),
			() => a.colour(t),
			() => a.opacity(t)
		]), Cr("focus", i, () => I(v, W(r), !0)), J(e, i);
	}), O(C), Ai(C, (e) => I(y, e), () => W(y));
	var ne = B(C, 2), re = (e) => {
		var n = zo();
		Po(B(L(n), 2), {
			get picture() {
				return W(y);
			},
			get name() {
				return `${t.grid.kind ?? ""}-heads`;
			}
		}), O(n), J(e, n);
	};
	X(ne, (e) => {
		i() && e(re);
	}), V(() => {
		$(C, "viewBox", `0 0 ${W(m) ?? ""} ${W(h) ?? ""}`), $(C, "aria-label", `${t.grid.kind ?? ""} heads by layer`), w = di(C, "", w, { "max-width": `${W(b) ?? ""}px` });
	}), G("keydown", C, x), J(e, S), M();
}
wr(["keydown"]);
// src/draw/ramp.ts
var Ho = {
	"light signed": [
		"#7a2a02",
		"#c1470a",
		"#ee9a66",
		"#ffffff",
		"#79b4e2",
		"#0067b1",
		"#06386a"
	],
	"dark signed": [
		"#ffd9bd",
		"#f08a4b",
		"#8a4520",
		"#14171c",
		"#1f5d8f",
		"#58b4f5",
		"#d3ecff"
	],
	light: [
		"#ffffff",
		"#dcebf7",
		"#9dc9ea",
		"#4a98d0",
		"#0f67ad",
		"#083b73",
		"#041d3f"
	],
	dark: [
		"#14171c",
		"#16304d",
		"#135a8c",
		"#2a8bbd",
		"#5cbccb",
		"#b3e2c0",
		"#fbf9c4"
	]
}, Uo = {};
function Wo(e, t = !1) {
	let n = `${e ? "dark" : "light"}${t ? " signed" : ""}`;
	return Uo[n] ??= Go(Ho[n]);
}
function Go(e) {
	let t = e.map((e) => [
		1,
		3,
		5
	].map((t) => parseInt(e.slice(t, t + 2), 16))), n = /* @__PURE__ */ new Uint8ClampedArray(1024);
	for (let e = 0; e < 256; e++) {
		let r = e / 255 * (t.length - 1), i = Math.min(Math.floor(r), t.length - 2);
		for (let a = 0; a < 3; a++) n[e * 4 + a] = t[i][a] + (r - i) * (t[i + 1][a] - t[i][a]);
		n[e * 4 + 3] = 255;
	}
	return n;
}
function Ko(e, t, n = !1) {
	let r = Math.max(0, Math.min(255, Math.round(t * 255))) * 4, [i, a, o] = Wo(e, n).slice(r, r + 3);
	return `#${[
		i,
		a,
		o
	].map((e) => e.toString(16).padStart(2, "0")).join("")}`;
}
function qo(e, t, n, r, { clear: i = !1, signed: a = !1 } = {}) {
	let o = document.createElement("canvas");
	o.width = t, o.height = n;
	let s = new ImageData(t, n), c = new Uint32Array(Wo(r, a).buffer), l = new Uint32Array(s.data.buffer);
	for (let t = 0; t < e.length; t++) (e[t] > 0 || !i) && (l[t] = c[e[t]]);
	return o.getContext("2d").putImageData(s, 0, 0), o;
}
// src/report/MapPicture.svelte
var Jo = /* @__PURE__ */ q("<text text-anchor=\"end\" dominant-baseline=\"central\" font-size=\"9.5\"> </text>"), Yo = /* @__PURE__ */ q("<text dominant-baseline=\"central\" font-size=\"9.5\"> </text>"), Xo = /* @__PURE__ */ K("<bdi> </bdi> → <bdi> </bdi> ", 1), Zo = /* @__PURE__ */ K("<figure class=\"svelte-za658m\"><svg role=\"img\" aria-label=\"A typical map of the head: rows attend to columns\" font-family=\"var(--font)\" class=\"svelte-za658m\"><!><!><image preserveAspectRatio=\"none\" role=\"presentation\"></image><rect fill=\"none\" pointer-events=\"none\"></rect></svg> <figcaption aria-live=\"polite\" class=\"svelte-za658m\"><!></figcaption></figure> <!>", 1);
function Qo(e, t) {
	j(t, !0);
	let n = A("report"), { book: r } = n, i = /* @__PURE__ */ F(void 0), a = /* @__PURE__ */ F(null), o = /* @__PURE__ */ N(() => r.weights(t.map)), s = /* @__PURE__ */ N(() => r.document.tokens[t.map.tokens].tokens), c = /* @__PURE__ */ N(() => qo(W(o).bytes, W(o).columns, W(o).rows, n.dark).toDataURL()), l = /* @__PURE__ */ N(() => 74 + W(o).columns * 12), u = /* @__PURE__ */ N(() => 74 + W(o).rows * 12), d = /* @__PURE__ */ N(() => W(a) && t.map.scale * (W(o).bytes[W(a)[0] * W(o).columns + W(a)[1]] / 255) ** 2);
	function f(e) {
		let { left: t, top: n, width: r, height: i } = e.currentTarget.getBoundingClientRect(), s = Math.floor(W(o).rows * (e.clientY - n) / i), c = Math.floor(W(o).columns * (e.clientX - t) / r);
		I(a, s >= 0 && s < W(o).rows && c >= 0 && c < W(o).columns ? [s, c] : null);
	}
	var p = Zo(), m = R(p), h = L(m);
	let g;
	var _ = L(h);
	Q(_, 17, () => ({ length: W(o).rows }), Z, (e, t, r) => {
		var i = Jo();
		$(i, "x", 69), $(i, "y", 74 + (r + .5) * 12);
		var o = z(i, !0);
		V((e) => {
			$(i, "fill", W(a)?.[0] === r ? n.colours.ink : n.colours.quiet), $(i, "font-weight", W(a)?.[0] === r ? 700 : 400), Y(o, e);
		}, [() => ya(W(s)[r] ?? "", 12)]), J(e, i);
	});
	var v = B(_);
	Q(v, 17, () => ({ length: W(o).columns }), Z, (e, t, r) => {
		var i = Yo();
		$(i, "transform", `translate(${74 + (r + .5) * 12} 69) rotate(-90)`);
		var o = z(i, !0);
		V((e) => {
			$(i, "fill", W(a)?.[1] === r ? n.colours.ink : n.colours.quiet), $(i, "font-weight", W(a)?.[1] === r ? 700 : 400), Y(o, e);
		}, [() => ya(W(s)[r] ?? "", 12)]), J(e, i);
	});
	var y = B(v);
	$(y, "x", 74), $(y, "y", 74), di(y, "", {}, { "image-rendering": "pixelated" });
	var b = B(y);
	$(b, "x", 74), $(b, "y", 74), O(h), Ai(h, (e) => I(i, e), () => W(i));
	var x = B(h, 2), S = L(x), C = (e) => {
		var t = Xo(), n = R(t), r = z(n, !0), i = B(n, 2), o = z(i, !0), c = B(i);
		V((e) => {
			Y(r, W(s)[W(a)[0]]), Y(o, W(s)[W(a)[1]]), Y(c, `: ${e ?? ""}`);
		}, [() => W(d).toFixed(3)]), J(e, t);
	}, w = (e) => {
		var n = Nr();
		V((e) => Y(n, `Rows attend to columns; the strongest square is ${e ?? ""}.`), [() => t.map.scale.toFixed(2)]), J(e, n);
	};
	X(S, (e) => {
		W(a) && W(d) !== null ? e(C) : e(w, -1);
	}), O(x), O(m), Po(B(m, 2), {
		get picture() {
			return W(i);
		},
		get name() {
			return t.name;
		}
	}), V(() => {
		$(h, "viewBox", `0 0 ${W(l) ?? ""} ${W(u) ?? ""}`), g = di(h, "", g, { "max-width": `${W(l) ?? ""}px` }), $(y, "href", W(c)), $(y, "width", W(o).columns * 12), $(y, "height", W(o).rows * 12), $(b, "width", W(o).columns * 12), $(b, "height", W(o).rows * 12), $(b, "stroke", n.colours.edge);
	}), G("pointermove", y, f), Cr("pointerleave", y, () => I(a, null)), J(e, p), M();
}
wr(["pointermove"]);
// src/report/Measured.svelte
var $o = /* @__PURE__ */ K("<span class=\"measured\" tabindex=\"0\"> </span><sup class=\"note\"> </sup>", 1);
function es(e, t) {
	j(t, !0);
	let n = Fi(t, "error", 3, !0), { book: r } = A("report"), i = /* @__PURE__ */ N(() => r.document.statistics[t.statistic]);
	var a = $o(), o = R(a), s = z(o, !0), c = z(B(o), !0);
	V((e) => {
		$(o, "data-tells", `statistic ${t.statistic ?? ""} ${t.head ?? ""}`), Y(s, e), Y(c, t.statistic + 1);
	}, [() => $i(W(i), W(i).values[t.head], n() ? W(i).stderr[t.head] : null)]), J(e, a), M();
}
// src/report/Strip.svelte
var ts = /* @__PURE__ */ q("<path stroke-dasharray=\"2 2\"></path>"), ns = /* @__PURE__ */ q("<path stroke-width=\"1.5\"></path>"), rs = /* @__PURE__ */ q("<circle cy=\"11\" r=\"5\" stroke-width=\"1.5\"></circle>"), is = /* @__PURE__ */ q("<svg class=\"strip\" aria-hidden=\"true\"><path></path><path stroke-opacity=\"0.35\"></path><!><!><!></svg>");
function as(e, t) {
	j(t, !0);
	let n = A("report"), { book: r } = n, [i, a] = [200, 22], o = /* @__PURE__ */ N(() => r.document.statistics[t.statistic]), s = /* @__PURE__ */ N(() => r.domain(t.statistic)), c = /* @__PURE__ */ N(() => (e) => 6 + (i - 12) * (e - W(s)[0]) / (W(s)[1] - W(s)[0])), l = r.document.heads.kind, u = /* @__PURE__ */ N(() => W(o).values.map((e, n) => e === null || l[n] !== l[t.head] ? "" : `M${W(c)(e).toFixed(1)} 6V16`).join("")), d = /* @__PURE__ */ N(() => W(o).chances?.[t.head] ?? W(o).baseline ?? null);
	var f = is(), p = L(f), m = B(p), h = B(m), g = (e) => {
		var t = ts();
		V((e) => {
			$(t, "d", `M${e ?? ""} 3V19`), $(t, "stroke", n.colours.quiet);
		}, [() => W(c)(0)]), J(e, t);
	};
	X(h, (e) => {
		W(s)[0] < 0 && e(g);
	});
	var _ = B(h), v = (e) => {
		var t = ns();
		V((e) => {
			$(t, "d", `M${e ?? ""} 2V20`), $(t, "stroke", n.colours.negative);
		}, [() => W(c)(W(d))]), J(e, t);
	};
	X(_, (e) => {
		W(d) !== null && W(d) <= W(s)[1] && e(v);
	});
	var y = B(_), b = (e) => {
		var r = rs();
		V((e) => {
			$(r, "cx", e), $(r, "fill", n.colours.accent), $(r, "stroke", n.colours.page);
		}, [() => W(c)(W(o).values[t.head])]), J(e, r);
	};
	X(y, (e) => {
		W(o).values[t.head] !== null && e(b);
	}), O(f), V(() => {
		$(f, "viewBox", `0 0 ${i ?? ""} ${a ?? ""}`), $(f, "width", i), $(f, "height", a), $(p, "d", `M6 16H${i - 6}`), $(p, "stroke", n.colours.edge), $(m, "d", W(u)), $(m, "stroke", n.colours.quiet);
	}), J(e, f), M();
}
// src/report/TokenShares.svelte
var os = /* @__PURE__ */ K("<tr><th scope=\"row\" class=\"svelte-1pi8sfn\"><bdi class=\"svelte-1pi8sfn\"> </bdi></th><td class=\"bar svelte-1pi8sfn\"><svg viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" aria-hidden=\"true\" class=\"svelte-1pi8sfn\"><rect y=\"1\" height=\"8\" rx=\"1\" fill-opacity=\"0.55\"></rect><rect width=\"1.2\" height=\"10\"></rect></svg></td><td class=\"svelte-1pi8sfn\"> </td><td class=\"quiet svelte-1pi8sfn\"> </td></tr>"), ss = /* @__PURE__ */ K("<button type=\"button\" class=\"more\"> </button>"), cs = /* @__PURE__ */ K("<div><h3> </h3> <table class=\"svelte-1pi8sfn\"><thead class=\"svelte-1pi8sfn\"><tr><th scope=\"col\" class=\"svelte-1pi8sfn\">token</th><td class=\"svelte-1pi8sfn\"></td><th scope=\"col\" class=\"svelte-1pi8sfn\">here</th><th scope=\"col\" class=\"svelte-1pi8sfn\">in the text</th></tr></thead><tbody></tbody></table> <!></div>");
function ls(e, t) {
	j(t, !0);
	let n = A("report"), r = /* @__PURE__ */ F(!1), i = /* @__PURE__ */ N(() => Math.max(...t.counts.shares, ...t.counts.common, Number.MIN_VALUE)), a = /* @__PURE__ */ N(() => [...t.counts.tokens.keys()].slice(0, W(r) ? void 0 : 12)), o = (e) => `${(100 * e).toFixed(1)} %`;
	var s = cs(), c = L(s), l = z(c, !0), u = B(c, 2), d = B(L(u));
	Q(d, 20, () => W(a), (e) => e, (e, r) => {
		var a = os(), s = L(a), c = z(L(s), !0);
		O(s);
		var l = B(s), u = L(l), d = L(u), f = B(d);
		O(u), O(l);
		var p = B(l), m = z(p, !0), h = z(B(p), !0);
		O(a), V((e, a, o) => {
			Y(c, t.counts.tokens[r]), $(d, "width", 100 * t.counts.shares[r] / W(i)), $(d, "fill", n.colours.accent), $(f, "x", e), $(f, "fill", n.colours.negative), Y(m, a), Y(h, o);
		}, [
			() => Math.max(0, 100 * t.counts.common[r] / W(i) - .6),
			() => o(t.counts.shares[r]),
			() => o(t.counts.common[r])
		]), J(e, a);
	}), O(d), O(u);
	var f = B(u, 2), p = (e) => {
		var n = ss(), i = z(n);
		V(() => Y(i, `${t.counts.tokens.length - 12} more`)), G("click", n, () => I(r, !0)), J(e, n);
	};
	X(f, (e) => {
		t.counts.tokens.length > 12 && !W(r) && e(p);
	}), O(s), V(() => Y(l, t.title)), J(e, s), M();
}
wr(["click"]);
// src/report/Card.svelte
var us = /* @__PURE__ */ K("<tr><th scope=\"row\"> </th><td class=\"picture\"><!></td><td class=\"value\"><!></td><td class=\"rank\"> </td></tr>"), ds = /* @__PURE__ */ K(" <sup class=\"note\"> </sup>", 1), fs = /* @__PURE__ */ K("<p class=\"dense svelte-vnj2f8\"><!>.</p>"), ps = /* @__PURE__ */ K("<table class=\"strips\"><tbody></tbody></table>"), ms = /* @__PURE__ */ K("<details class=\"svelte-vnj2f8\"><summary class=\"svelte-vnj2f8\"> <small> </small></summary> <!></details>"), hs = /* @__PURE__ */ K("<a rel=\"prev\"> </a>"), gs = /* @__PURE__ */ K("<a rel=\"next\"> </a>"), _s = /* @__PURE__ */ K("<nav class=\"near svelte-vnj2f8\" aria-label=\"Heads beside it\"><!> <!></nav>"), vs = /* @__PURE__ */ K("<p class=\"svelte-vnj2f8\"><!></p>"), ys = /* @__PURE__ */ K("<small class=\"sure svelte-vnj2f8\"> </small>"), bs = /* @__PURE__ */ K("<small class=\"svelte-vnj2f8\">else <bdi> </bdi> </small>"), xs = /* @__PURE__ */ K("<div><dt class=\"svelte-vnj2f8\"> </dt> <dd class=\"svelte-vnj2f8\"><span tabindex=\"0\"><i class=\"svelte-vnj2f8\"></i><bdi> </bdi><!></span><sup class=\"note\"> </sup> <!></dd></div>"), Ss = /* @__PURE__ */ K("<dl class=\"named svelte-vnj2f8\"></dl>"), Cs = /* @__PURE__ */ K("<div class=\"where svelte-vnj2f8\"><!></div>"), ws = /* @__PURE__ */ K("<section><h2>Examples</h2> <!></section>"), Ts = /* @__PURE__ */ K("<section><h2>Tokens</h2> <div class=\"two svelte-vnj2f8\"><!> <!></div> <p class=\"quiet\">The bar is the token's share here; the line is its share of the text.</p></section>"), Es = /* @__PURE__ */ K("<section class=\"svelte-vnj2f8\"><h2>A typical map</h2> <!></section>"), Ds = /* @__PURE__ */ K("<i class=\"svelte-vnj2f8\"></i><bdi> </bdi>", 1), Os = /* @__PURE__ */ K("<li class=\"svelte-vnj2f8\"><a> </a> <span><!></span> <span class=\"measured\"> </span></li>"), ks = /* @__PURE__ */ K("<section class=\"svelte-vnj2f8\"><h2>Heads most like it</h2> <ul class=\"alike svelte-vnj2f8\"></ul> <p class=\"quiet\">Jensen-Shannon divergence, 0 for heads that do the same<!>.</p></section>"), As = /* @__PURE__ */ K("<div class=\"two ending svelte-vnj2f8\"><!> <!></div>"), js = /* @__PURE__ */ K("<section><h2>Everything else that was measured</h2> <!></section>"), Ms = /* @__PURE__ */ K("<a>See it in a text</a>"), Ns = /* @__PURE__ */ K("<p class=\"tools svelte-vnj2f8\"><!> <button type=\"button\">Card as SVG</button> <button type=\"button\">PNG</button> <button type=\"button\">Markdown</button> <button type=\"button\">JSON</button> <button type=\"button\">Print, or save as PDF</button></p>"), Ps = /* @__PURE__ */ K("<article><header class=\"svelte-vnj2f8\"><div><p class=\"over svelte-vnj2f8\"> </p> <h1 tabindex=\"-1\" class=\"svelte-vnj2f8\"> </h1></div> <!></header> <div class=\"lead svelte-vnj2f8\"><div class=\"sentences svelte-vnj2f8\"><!> <!></div> <!></div> <section><h2>Where it looks</h2> <p class=\"quiet legend svelte-vnj2f8\">A tick is a head, the dot is this one<!>.</p> <table class=\"strips\"><tbody></tbody></table> <!></section> <!> <!> <!> <!> <!> <!></article>");
function Fs(e, t) {
	j(t, !0);
	let n = (e, n = d) => {
		var r = us(), i = L(r), a = z(i, !0), c = B(i);
		as(L(c), {
			get statistic() {
				return n();
			},
			get head() {
				return t.head;
			}
		}), O(c);
		var l = B(c);
		es(L(l), {
			get statistic() {
				return n();
			},
			get head() {
				return t.head;
			}
		}), O(l);
		var u = z(B(l), !0);
		O(r), V((e) => {
			$(i, "data-tells", `statistic ${n() ?? ""} ${t.head ?? ""}`), Y(a, s[n()].title), Y(u, e);
		}, [() => o.rankText(n(), t.head)]), J(e, r);
	}, r = (e, r = d, a = d) => {
		var o = ms(), c = L(o), l = L(c), u = z(B(l), !0);
		O(c);
		var f = B(c, 2), p = (e) => {
			var n = fs();
			Q(L(n), 18, a, (e) => e, (e, n, r) => {
				Ee();
				var i = ds(), a = R(i), o = z(B(a), !0);
				V((e) => {
					Y(a, `${W(r) ? "; " : ""}${s[n].title ?? ""} ${e ?? ""}`), Y(o, n + 1);
				}, [() => $i(s[n], s[n].values[t.head], s[n].stderr[t.head])]), J(e, i);
			}), Ee(), O(n), J(e, n);
		}, m = (e) => {
			var t = ps(), r = L(t);
			Q(r, 20, a, (e) => e, (e, t) => {
				n(e, () => t);
			}), O(r), O(t), J(e, t);
		};
		X(f, (e) => {
			i() ? e(p) : ee[r()] && e(m, 1);
		}), O(o), V(() => {
			o.open = i() || ee[r()] || void 0, Y(l, `${r() ?? ""} `), Y(u, a().length);
		}), Cr("toggle", o, (e) => ee[r()] = e.currentTarget.open), J(e, o);
	}, i = Fi(t, "printed", 3, !1), a = A("report"), { book: o } = a, { statistics: s, names: c, model: l, heads: u, cards: f, chapters: p, made: m } = o.document, g = /* @__PURE__ */ N(() => f[t.head]), _ = /* @__PURE__ */ N(() => o.address(t.head)), v = /* @__PURE__ */ N(() => l.grids.find(({ kind: e }) => e === u.kind[t.head])), y = /* @__PURE__ */ N(() => [...s.keys()].filter((e) => s[e].values[t.head] !== null)), b = /* @__PURE__ */ N(() => W(y).filter((e) => s[e].overview)), x = {
		surface: "More on where it looks",
		pattern: "Patterns and shapes",
		link: "All relations",
		gradient: "Gradients",
		distance: "Distance from other heads",
		weight: "Weights",
		effect: "Effects"
	}, S = /* @__PURE__ */ N(() => W(y).filter((e) => !W(b).includes(e) && s[e].name !== "pattern_null" && !(s[e].family === "effect" && W(g).effects.length > 0))), C = /* @__PURE__ */ N(() => [...new Set(W(S).map((e) => s[e].family))].map((e) => ({
		family: e,
		title: x[e] ?? e,
		members: W(S).filter((t) => s[t].family === e)
	}))), w = /* @__PURE__ */ N(() => c.flatMap((e) => {
		let n = o.name(e, t.head), r = e.second[t.head] === null ? null : e.choices[e.second[t.head]];
		return n ? [{
			each: e,
			choice: n,
			second: r
		}] : [];
	})), ee = Zt({}), te = (e) => e === null ? "" : `${Math.round(100 * e)} %`, ne = /* @__PURE__ */ N(() => `attlas-head-${W(_)}`), re = /* @__PURE__ */ N(() => Object.entries({
		kind: "head",
		attention: u.kind[t.head],
		layer: u.layer[t.head],
		heads: [u.head[t.head]]
	}).map(([e, t]) => `${e}=${encodeURIComponent(JSON.stringify(t))}`).join("&")), ie = () => go(o, t.head, a.colours);
	var ae = Ps();
	let oe;
	var se = L(ae), ce = L(se), le = L(ce), ue = z(le), de = B(le, 2), fe = z(de);
	O(ce);
	var pe = B(ce, 2), me = (e) => {
		var n = _s(), r = L(n), i = (e) => {
			var n = hs(), r = z(n);
			V((e, t) => {
				$(n, "href", e), Y(r, `← ${t ?? ""}`);
			}, [() => a.link(t.head - 1), () => o.address(t.head - 1)]), J(e, n);
		};
		X(r, (e) => {
			t.head > 0 && e(i);
		});
		var s = B(r, 2), c = (e) => {
			var n = gs(), r = z(n);
			V((e, t) => {
				$(n, "href", e), Y(r, `${t ?? ""} →`);
			}, [() => a.link(t.head + 1), () => o.address(t.head + 1)]), J(e, n);
		};
		X(s, (e) => {
			t.head + 1 < o.count && e(c);
		}), O(n), J(e, n);
	};
	X(pe, (e) => {
		i() || e(me);
	}), O(se);
	var he = B(se, 2), ge = L(he), _e = L(ge);
	Q(_e, 17, () => W(g).sentences, Z, (e, t, n) => {
		var r = vs();
		Ha(L(r), {
			get sentence() {
				return W(t);
			},
			get about() {
				return W(g).tells[n];
			}
		}), O(r), J(e, r);
	});
	var T = B(_e, 2), ve = (e) => {
		var n = Ss();
		Q(n, 21, () => W(w), ({ each: e, choice: t, second: n }) => e.kind, (e, n) => {
			let r = () => W(n).each, i = () => W(n).choice, o = () => W(n).second;
			var s = xs(), c = L(s), l = z(c, !0), u = B(c, 2), d = L(u), f = L(d);
			let p;
			var m = B(f), h = z(m, !0), g = B(m), _ = (e) => {
				var n = ys(), i = z(n);
				V((e) => Y(i, `${e ?? ""} sure`), [() => te(r().confidence[t.head])]), J(e, n);
			};
			X(g, (e) => {
				r().confidence[t.head] !== null && i().name !== "none" && e(_);
			}), O(d);
			var v = B(d), y = z(v, !0), b = B(v, 2), x = (e) => {
				var n = bs(), i = B(L(n)), a = z(i, !0), s = B(i);
				O(n), V((e) => {
					Y(a, o().title), Y(s, ` ${e ?? ""}`);
				}, [() => te(r().second_confidence[t.head])]), J(e, n);
			};
			X(b, (e) => {
				o() && (r().second_confidence[t.head] ?? 0) >= .05 && e(x);
			}), O(u), O(s), V((e) => {
				Y(l, r().title), $(d, "data-tells", `chapter ${r().chapter ?? ""}`), p = di(f, "", p, { background: a.dark ? i().dark : i().light }), Y(h, i().title), Y(y, e);
			}, [() => pa(r().chapter)]), J(e, s);
		}), O(n), J(e, n);
	};
	X(T, (e) => {
		W(w).length > 0 && e(ve);
	}), O(ge);
	var ye = B(ge, 2), be = (e) => {
		var n = Cs();
		Vo(L(n), {
			get grid() {
				return W(v);
			},
			get chosen() {
				return t.head;
			},
			small: !0
		}), O(n), J(e, n);
	};
	X(ye, (e) => {
		i() || e(be);
	}), O(he);
	var xe = B(he, 2), Se = B(L(xe), 2), E = B(L(Se)), Ce = (e) => {
		J(e, Nr("; the orange line is chance or a baseline"));
	}, D = /* @__PURE__ */ N(() => s.some(({ chances: e, baseline: t }) => e || t !== void 0));
	X(E, (e) => {
		W(D) && e(Ce);
	}), Ee(), O(Se);
	var we = B(Se, 2), Te = L(we);
	Q(Te, 20, () => W(b), (e) => e, (e, t) => {
		n(e, () => t);
	}), O(Te), O(we), Q(B(we, 2), 17, () => W(C).filter(({ family: e }) => e === "surface"), ({ title: e, members: t }) => e, (e, t) => {
		r(e, () => W(t).title, () => W(t).members);
	}), O(xe);
	var De = B(xe, 2);
	lo(De, { get card() {
		return W(g);
	} });
	var Oe = B(De, 2), ke = (e) => {
		var t = ws();
		Mo(B(L(t), 2), { get examples() {
			return W(g).examples;
		} }), O(t), J(e, t);
	};
	X(Oe, (e) => {
		W(g).examples.kind.length > 0 && e(ke);
	});
	var Ae = B(Oe, 2), je = (e) => {
		var t = Ts(), n = B(L(t), 2), r = L(n), i = (e) => {
			ls(e, {
				title: "It looks from",
				get counts() {
					return W(g).looks_from;
				}
			});
		};
		X(r, (e) => {
			W(g).looks_from && e(i);
		});
		var a = B(r, 2), o = (e) => {
			ls(e, {
				title: "It looks at",
				get counts() {
					return W(g).looks_at;
				}
			});
		};
		X(a, (e) => {
			W(g).looks_at && e(o);
		}), O(n), Ee(2), O(t), J(e, t);
	};
	X(Ae, (e) => {
		(W(g).looks_from || W(g).looks_at) && e(je);
	});
	var Me = B(Ae, 2), Ne = (e) => {
		var t = As(), n = L(t), r = (e) => {
			var t = Es();
			Qo(B(L(t), 2), {
				get map() {
					return W(g).map;
				},
				get name() {
					return `head-${W(_) ?? ""}`;
				}
			}), O(t), J(e, t);
		};
		X(n, (e) => {
			W(g).map && e(r);
		});
		var i = B(n, 2), s = (e) => {
			var t = ks(), n = B(L(t), 2);
			Q(n, 21, () => W(g).alike, ([e, t]) => e, (e, t) => {
				var n = /* @__PURE__ */ N(() => h(W(t), 2));
				let r = () => W(n)[0], i = () => W(n)[1], s = /* @__PURE__ */ N(() => o.calledFirst(r()));
				var c = Os(), l = L(c), u = z(l, !0), d = B(l, 2), f = L(d), p = (e) => {
					var t = Ds(), n = R(t);
					let r;
					var i = z(B(n), !0);
					V(() => {
						r = di(n, "", r, { background: a.dark ? W(s).dark : W(s).light }), Y(i, W(s).title);
					}), J(e, t);
				};
				X(f, (e) => {
					W(s) && e(p);
				}), O(d);
				var m = B(d, 2), _ = z(m);
				O(c), V((e, t, n) => {
					$(l, "href", e), $(l, "data-tells", `head ${r() ?? ""}`), Y(u, t), $(m, "data-tells", `chapter ${W(g).alike_chapter ?? 0 ?? ""}`), Y(_, `${n ?? ""} nats`);
				}, [
					() => a.link(r()),
					() => o.address(r()),
					() => ia(i())
				]), J(e, c);
			}), O(n);
			var r = B(n, 2), i = B(L(r)), s = (e) => {
				var t = Nr();
				V((e) => Y(t, `: ${e ?? ""}`), [() => p[W(g).alike_chapter].title.toLowerCase()]), J(e, t);
			};
			X(i, (e) => {
				W(g).alike_chapter !== null && e(s);
			}), Ee(), O(r), O(t), J(e, t);
		};
		X(i, (e) => {
			W(g).alike.length > 0 && e(s);
		}), O(t), J(e, t);
	};
	X(Me, (e) => {
		(W(g).map || W(g).alike.length > 0) && e(Ne);
	});
	var Pe = B(Me, 2), Fe = (e) => {
		var t = js();
		Q(B(L(t), 2), 17, () => W(C).filter(({ family: e }) => e !== "surface"), ({ title: e, members: t }) => e, (e, t) => {
			r(e, () => W(t).title, () => W(t).members);
		}), O(t), J(e, t);
	}, Ie = /* @__PURE__ */ N(() => W(C).some(({ family: e }) => e !== "surface"));
	X(Pe, (e) => {
		W(Ie) && e(Fe);
	});
	var Le = B(Pe, 2), Re = (e) => {
		var n = Ns(), r = L(n), i = (e) => {
			var t = Ms();
			V(() => $(t, "href", `${m.view ?? ""}#${W(re) ?? ""}`)), J(e, t);
		};
		X(r, (e) => {
			m.view && e(i);
		});
		var a = B(r, 2), s = B(a, 2), c = B(s, 2), l = B(c, 2), u = B(l, 2);
		O(n), G("click", a, () => ba(new Blob([ie().text], { type: "image/svg+xml" }), `head-${W(_)}.svg`)), G("click", s, async () => ba(await wa(ie()), `head-${W(_)}.png`)), G("click", c, () => ba(new Blob([Da(o, t.head)], { type: "text/markdown" }), `head-${W(_)}.md`)), G("click", l, () => ba(new Blob([JSON.stringify(o.cardData(t.head))], { type: "application/json" }), `head-${W(_)}.json`)), G("click", u, () => window.print()), J(e, n);
	};
	X(Le, (e) => {
		i() || e(Re);
	}), O(ae), V(() => {
		$(ae, "aria-labelledby", W(ne)), oe = li(ae, 1, "svelte-vnj2f8", null, oe, { printed: i() }), Y(ue, `${l.grids.length > 1 ? `${u.kind[t.head]} · ` : ""}layer ${u.layer[t.head] ?? ""}, head ${u.head[t.head] ?? ""}`), $(de, "id", W(ne)), Y(fe, `Head ${W(_) ?? ""}`);
	}), J(e, ae), M();
}
wr(["click"]);
// src/report/CardInBrief.svelte
var Is = /* @__PURE__ */ K("<small class=\"svelte-nr5jux\"> </small>"), Ls = /* @__PURE__ */ K(" <!>", 1), Rs = /* @__PURE__ */ K("<span class=\"svelte-nr5jux\"> <sup class=\"note\"> </sup></span>"), zs = /* @__PURE__ */ K("<ul class=\"svelte-nr5jux\"></ul>"), Bs = /* @__PURE__ */ K("<article class=\"svelte-nr5jux\"><h3 class=\"svelte-nr5jux\"> <!></h3> <p class=\"svelte-nr5jux\"></p> <p class=\"numbers svelte-nr5jux\"><!><!><!></p> <!></article>");
function Vs(e, t) {
	j(t, !0);
	let { book: n } = A("report"), { statistics: r, names: i, cards: a } = n.document, o = /* @__PURE__ */ N(() => a[t.head]), s = /* @__PURE__ */ N(() => [...r.keys()].filter((e) => r[e].overview && r[e].values[t.head] !== null)), c = /* @__PURE__ */ N(() => i.flatMap((e) => n.name(e, t.head) && n.name(e, t.head).name !== "none" ? [n.name(e, t.head).title] : [])), l = /* @__PURE__ */ N(() => ["strongest", "step"].flatMap((e) => W(o).examples.kind.findIndex((t, n) => t === e && (e !== "step" || W(o).examples.step[n] === 2))).filter((e) => e >= 0));
	var u = Bs(), d = L(u), f = L(d), p = B(f), m = (e) => {
		var t = Is(), n = z(t, !0);
		V((e) => Y(n, e), [() => W(c).join(" · ")]), J(e, t);
	};
	X(p, (e) => {
		W(c).length > 0 && e(m);
	}), O(d);
	var h = B(d, 2);
	Q(h, 21, () => W(o).sentences, Z, (e, t, n) => {
		Ee();
		var r = Ls(), i = R(r, !0);
		i.nodeValue = n ? " " : "", Ha(B(i), {
			get sentence() {
				return W(t);
			},
			get about() {
				return W(o).tells[n];
			}
		}), J(e, r);
	}), O(h);
	var g = B(h, 2), _ = L(g);
	Q(_, 16, () => W(s), (e) => e, (e, n) => {
		var i = Rs(), a = L(i), o = z(B(a), !0);
		O(i), V((e) => {
			Y(a, `${r[n].short ?? ""} ${e ?? ""}`), Y(o, n + 1);
		}, [() => $i(r[n], r[n].values[t.head])]), J(e, i);
	});
	var v = B(_);
	Q(v, 17, () => W(o).relations.slice(1, 3), Z, (e, t) => {
		var n = Rs(), r = L(n), i = z(B(r), !0);
		O(n), V((e, n) => {
			Y(r, `${W(t).title ?? ""} ${e ?? ""}`), Y(i, n);
		}, [() => la(W(t).value, W(t).low, W(t).high), () => pa(W(t).chapter)]), J(e, n);
	}), Q(B(v), 17, () => W(o).effects, Z, (e, t) => {
		var n = Rs(), r = L(n), i = z(B(r), !0);
		O(n), V((e, n) => {
			Y(r, `${W(t).score ?? ""} ${e ?? ""}`), Y(i, n);
		}, [() => sa(W(t).change), () => pa(W(t).chapter)]), J(e, n);
	}), O(g);
	var y = B(g, 2), b = (e) => {
		var t = zs();
		Q(t, 20, () => W(l), (e) => e, (e, t) => {
			Do(e, {
				get examples() {
					return W(o).examples;
				},
				get at() {
					return t;
				}
			});
		}), O(t), J(e, t);
	};
	X(y, (e) => {
		W(l).length > 0 && e(b);
	}), O(u), V((e) => Y(f, `Head ${e ?? ""}`), [() => n.address(t.head)]), J(e, u), M();
}
// src/report/conditions.ts
var Hs = /^([^\s:<>=]+)(>=|<=|:|>|<|=)(.+)$/, Us = () => !1;
function Ws(e, t) {
	let n = [], r = [];
	for (let i of e.trim().split(/\s+/).filter(Boolean)) {
		let e = Hs.exec(i);
		e ? r.push(Gs(i, e[1].toLowerCase(), e[2], e[3], t)) : n.push(i);
	}
	return {
		words: n.join(" "),
		conditions: r
	};
}
function Gs(e, t, n, r, i) {
	let a = (t, n = null) => ({
		written: e,
		problem: "",
		holds: t,
		statistic: n
	}), o = (t) => ({
		written: e,
		problem: t,
		holds: Us,
		statistic: null
	}), { heads: s } = i.document;
	if (t === "layer" || t === "head") {
		if (t === "head" && /\./.test(r)) return a((e) => s.address[e] === r);
		let e = Ks(n, r);
		return e ? a((n) => e(s[t][n])) : o(`write ${t}:3, ${t}:3-5 or ${t}>3`);
	}
	if (t === "kind") {
		let e = [...new Set(s.kind)];
		return e.some((e) => e === r) ? a((e) => s.kind[e] === r) : o(`its heads are ${e.join(", ")}`);
	}
	let c = i.document.names.filter(({ kind: e }) => e === t || t === "name");
	if (c.length > 0) {
		let e = r.toLowerCase().replaceAll("_", " "), t = c.map(({ choices: t }) => t.map((t) => t.name.toLowerCase() === r.toLowerCase() || t.title.toLowerCase() === e));
		return t.some((e) => e.includes(!0)) ? a((e) => c.some((n, r) => n.heads[e] !== null && t[r][n.heads[e]])) : o(`no head has it; there are ${c.flatMap(({ choices: e }) => e.map((e) => e.name)).join(", ")}`);
	}
	if (t === "relation") {
		let e = i.document.cards.map(({ relations: e }) => e.some(({ group: e, title: t }) => e === r || t.split(" ").includes(r)));
		return e.includes(!0) ? a((t) => e[t]) : o("no card lists this relation");
	}
	let l = i.named(t);
	if (l === null) return o("no statistic has this name");
	let u = Ks(n, r);
	if (!u) return o(`write ${t}>0.1, ${t}<0.1 or ${t}:0.1-0.2`);
	let { values: d } = i.document.statistics[l];
	return a((e) => d[e] !== null && u(d[e]), l);
}
function Ks(e, t) {
	let n = (e) => /^-?(\d+\.?\d*|\.\d+)(e-?\d+)?%?$/i.test(e) ? Number(e.replace("%", "")) / (e.endsWith("%") ? 100 : 1) : NaN, r = /^(-?[\d.e%]+)-(-?[\d.e%]+)$/i.exec(t);
	if (r && (e === ":" || e === "=")) {
		let [e, t] = [n(r[1]), n(r[2])];
		return Number.isNaN(e + t) ? null : (n) => n >= e && n <= t;
	}
	let i = n(t);
	return Number.isNaN(i) ? null : {
		">": (e) => e > i,
		"<": (e) => e < i,
		">=": (e) => e >= i,
		"<=": (e) => e <= i
	}[e] ?? ((e) => e === i);
}
function qs(e, t, n = 8) {
	let r = /\S*$/.exec(e)[0].toLowerCase();
	if (!r) return [];
	let i = r.includes(":") ? Js(r, t) : Ys(t), a = i.filter((e) => e.text.toLowerCase().startsWith(r) && e.text.toLowerCase() !== r), o = i.filter((e) => !a.includes(e) && r.length > 2 && e.text.toLowerCase() !== r && `${e.text} ${e.about}`.toLowerCase().includes(r));
	return [...a, ...o].slice(0, n);
}
function Js(e, t) {
	let n = e.slice(0, e.indexOf(":"));
	return n === "kind" ? [...new Set(t.document.heads.kind)].map((e) => ({
		text: `kind:${e}`,
		about: ""
	})) : n === "relation" ? [...new Map(t.document.cards.flatMap(({ relations: e }) => e.map(({ group: e, title: t }) => [e, t])))].map(([e, t]) => ({
		text: `relation:${e}`,
		about: t
	})) : t.document.names.filter(({ kind: e }) => e === n).flatMap(({ choices: e }) => e.map((e) => ({
		text: `${n}:${e.name}`,
		about: e.meaning
	})));
}
function Ys(e) {
	let { document: t } = e, n = [
		...t.names.map(({ kind: e, title: t }) => ({
			text: `${e}:`,
			about: t
		})),
		{
			text: "layer:",
			about: "layer:3, layer:3-5"
		},
		...t.model.grids.length > 1 ? [{
			text: "kind:",
			about: "encoder, decoder or cross attention"
		}] : [],
		...t.cards.some(({ relations: e }) => e.length > 0) ? [{
			text: "relation:",
			about: "heads whose card lists a relation"
		}] : [],
		...e.named("effect") === null ? [] : [{
			text: "effect>",
			about: t.statistics[e.named("effect")].title
		}]
	], r = new Set(t.finder.topics.flatMap(({ needs: e }) => e)), i = t.finder.glossary.filter(({ term: e }) => r.has(e)).map(({ words: e, title: t }) => ({
		text: e[0] ?? "",
		about: t
	})), a = t.statistics.map(({ key: e, title: t }) => ({
		text: `${e}>`,
		about: t
	}));
	return [
		...n,
		...i.filter(({ text: e }) => e),
		...a
	];
}
// src/report/FinderBox.svelte
var Xs = /* @__PURE__ */ K("<li role=\"option\" class=\"svelte-1oli9vr\"><bdi> </bdi> <span class=\"svelte-1oli9vr\"> </span></li>"), Zs = /* @__PURE__ */ K("<ul id=\"attlas-offered\" role=\"listbox\" aria-label=\"Completions\" class=\"svelte-1oli9vr\"></ul>"), Qs = /* @__PURE__ */ K("<div class=\"finder svelte-1oli9vr\" role=\"search\"><input type=\"search\" placeholder=\"Find heads: object, previous token, pattern:induction, layer:3-5 …\" aria-label=\"Find heads by words or conditions\" role=\"combobox\" aria-controls=\"attlas-offered\" aria-autocomplete=\"list\" autocomplete=\"off\" spellcheck=\"false\" class=\"svelte-1oli9vr\"/> <!></div>");
function $s(e, t) {
	j(t, !0);
	let n = A("report"), r, i = /* @__PURE__ */ F(!1), a = /* @__PURE__ */ F(-1), o = /* @__PURE__ */ N(() => n.route.head ? "" : n.route.find), s = /* @__PURE__ */ N(() => W(i) ? qs(W(o), n.book) : []);
	function c(e) {
		let t = !n.route.find || n.route.head;
		n.go({
			head: "",
			find: e,
			...n.route.head ? { sort: "" } : {}
		}, t ? "push" : "replace");
	}
	async function l(e) {
		c(W(o).replace(/\S*$/, e) + (/[:>]$/.test(e) ? "" : " ")), I(a, -1), I(i, /[:>]$/.test(e), !0), await dr(), r.focus();
	}
	function u(e) {
		if (e.key === "ArrowDown" || e.key === "ArrowUp") {
			if (W(s).length === 0) return;
			e.preventDefault(), I(a, (W(a) + (e.key === "ArrowDown" ? 1 : -1) + W(s).length + 1) % (W(s).length + 1)), W(a) === W(s).length && I(a, -1);
		} else e.key === "Enter" && W(a) >= 0 && W(s)[W(a)] || e.key === "Tab" && W(a) >= 0 && W(s)[W(a)] ? (e.preventDefault(), l(W(s)[W(a)].text)) : e.key === "Escape" && (W(s).length > 0 ? I(i, !1) : c(""));
	}
	function d(e) {
		e.key !== "/" || e.target instanceof HTMLInputElement || e.target instanceof HTMLSelectElement || (e.preventDefault(), r.focus());
	}
	var f = Qs();
	Cr("keydown", en, d);
	var p = L(f);
	Si(p), Ai(p, (e) => r = e, () => r);
	var m = B(p, 2), h = (e) => {
		var t = Zs();
		Q(t, 23, () => W(s), ({ text: e, about: t }) => e, (e, t, n) => {
			let r = () => W(t).text, i = () => W(t).about;
			var o = Xs(), s = L(o), c = z(s, !0), u = z(B(s, 2), !0);
			O(o), V(() => {
				$(o, "id", `attlas-offered-${W(n) ?? ""}`), $(o, "aria-selected", W(n) === W(a)), Y(c, r()), Y(u, i());
			}), G("pointerdown", o, (e) => e.preventDefault()), G("click", o, () => l(r())), J(e, o);
		}), O(t), J(e, t);
	};
	X(m, (e) => {
		W(s).length > 0 && e(h);
	}), O(f), V(() => {
		Ci(p, W(o)), $(p, "aria-expanded", W(s).length > 0), $(p, "aria-activedescendant", W(a) >= 0 ? `attlas-offered-${W(a)}` : void 0);
	}), G("input", p, (e) => {
		c(e.currentTarget.value), I(i, !0), I(a, -1);
	}), Cr("blur", p, () => I(i, !1)), G("keydown", p, u), J(e, f), M();
}
wr([
	"input",
	"keydown",
	"pointerdown",
	"click"
]);
// src/report/Command.svelte
var ec = /* @__PURE__ */ K("<span class=\"command svelte-ehi4xr\"><code class=\"svelte-ehi4xr\"> </code> <button type=\"button\" aria-label=\"Copy the command\"> </button></span>");
function tc(e, t) {
	let n = /* @__PURE__ */ F(!1);
	async function r() {
		await navigator.clipboard.writeText(t.command), I(n, !0), setTimeout(() => I(n, !1), 2e3);
	}
	var i = ec(), a = L(i), o = z(a, !0), s = B(a, 2), c = z(s, !0);
	O(i), V(() => {
		Y(o, t.command), Y(c, W(n) ? "copied" : "copy");
	}), G("click", s, r), J(e, i);
}
wr(["click"]);
// src/report/Origins.svelte
var nc = /* @__PURE__ */ K("<li class=\"svelte-1fvkphp\"> <!></li>"), rc = /* @__PURE__ */ K("<section aria-labelledby=\"attlas-missing\"><h2 id=\"attlas-missing\">Not measured</h2> <ul class=\"missing svelte-1fvkphp\"></ul></section>"), ic = /* @__PURE__ */ K("from <bdi> </bdi>", 1), ac = /* @__PURE__ */ K("<span class=\"letter svelte-1fvkphp\"> </span>"), oc = /* @__PURE__ */ K("<p class=\"quiet svelte-1fvkphp\"> </p>"), sc = /* @__PURE__ */ K("<div class=\"chapter svelte-1fvkphp\"><h3><!> </h3> <p class=\"svelte-1fvkphp\"> </p> <!> <!> <details><summary class=\"svelte-1fvkphp\">Settings and versions</summary> <p class=\"settings svelte-1fvkphp\"> </p></details></div>"), cc = /* @__PURE__ */ K("<span class=\"svelte-1fvkphp\"><sup> </sup> <strong class=\"svelte-1fvkphp\"> </strong> <code class=\"svelte-1fvkphp\"> </code></span>"), lc = /* @__PURE__ */ K("<li class=\"svelte-1fvkphp\"><!><br/> </li>"), uc = /* @__PURE__ */ K("<!> <section aria-labelledby=\"attlas-origins\"><h2 id=\"attlas-origins\">Where it comes from</h2> <p class=\"svelte-1fvkphp\"><bdi> </bdi> <code class=\"svelte-1fvkphp\"> </code>, configuration <code class=\"svelte-1fvkphp\"> </code> <!>. To make it again:</p> <!> <!></section> <section aria-labelledby=\"attlas-definitions\"><h2 id=\"attlas-definitions\">How each number was measured</h2> <details><summary class=\"svelte-1fvkphp\"> </summary> <ol class=\"definitions svelte-1fvkphp\"></ol></details></section> <p class=\"tools svelte-1fvkphp\"><button type=\"button\">Everything as JSON</button> <button type=\"button\">Print everything, or save as PDF</button></p>", 1);
function dc(e, t) {
	j(t, !0);
	let n = A("report"), { book: r } = n, { chapters: i, made: a, model: o, missing: s, statistics: c } = r.document, l = d(), u = /* @__PURE__ */ N(() => n.printing !== "");
	function d() {
		let e = /* @__PURE__ */ new Map();
		return c.forEach((t, n) => {
			let i = r.note({
				...t,
				baseline: void 0
			}).join(" ");
			e.set(i, [...e.get(i) ?? [], n]);
		}), [...e].map(([e, t]) => ({
			note: e,
			members: t
		}));
	}
	var f = uc(), p = R(f), m = (e) => {
		var t = rc(), n = B(L(t), 2);
		Q(n, 21, () => s, ({ what: e, why: t, command: n }) => e, (e, t) => {
			let n = () => W(t).what, r = () => W(t).why, i = () => W(t).command;
			var a = nc(), o = L(a);
			tc(B(o), { get command() {
				return i();
			} }), O(a), V(() => Y(o, `${n() ?? ""}${r() ? `: ${r()}` : ""}`)), J(e, a);
		}), O(n), O(t), J(e, t);
	};
	X(p, (e) => {
		s.length > 0 && e(m);
	});
	var h = B(p, 2), g = B(L(h), 2), _ = L(g), v = z(_, !0), y = B(_), b = B(y), x = z(b, !0), S = B(b, 2), C = z(S, !0), w = B(S), ee = B(w), te = (e) => {
		var t = ic(), n = z(B(R(t)), !0);
		V(() => Y(n, a.atlas)), J(e, t);
	};
	X(ee, (e) => {
		a.atlas && e(te);
	}), Ee(), O(g);
	var ne = B(g, 2);
	tc(ne, { get command() {
		return a.command;
	} }), Q(B(ne, 2), 19, () => i, (e) => e.name, (e, t, n) => {
		var i = sc(), a = L(i), o = L(a), s = (e) => {
			var t = ac(), r = z(t, !0);
			V((e) => Y(r, e), [() => pa(W(n))]), J(e, t);
		};
		X(o, (e) => {
			W(u) && e(s);
		});
		var c = B(o, 1, !0);
		O(a);
		var l = B(a, 2), d = z(l), f = B(l, 2);
		Q(f, 17, () => W(t).notes, Z, (e, t) => {
			var n = oc(), r = z(n, !0);
			V(() => Y(r, W(t))), J(e, n);
		});
		var p = B(f, 2);
		tc(p, { get command() {
			return W(t).command;
		} });
		var m = B(p, 2), h = z(B(L(m), 2), !0);
		O(m), O(i), V((e, n, r) => {
			$(i, "id", `chapter-${W(t).name ?? ""}`), Y(c, W(t).title), Y(d, `${e ?? ""}. ${W(t).when ?? ""}${n ?? ""}.`), m.open = W(u) || void 0, Y(h, r);
		}, [
			() => r.read(W(n)),
			() => W(t).seconds === null ? "" : `, ${Math.round(W(t).seconds)} s`,
			() => Object.entries({
				...W(t).settings,
				...W(t).software
			}).map(([e, t]) => `${e} ${t}`).join(" · ")
		]), J(e, i);
	}), O(h);
	var re = B(h, 2), ie = B(L(re), 2), ae = L(ie), oe = z(ae, !0), se = B(ae, 2);
	Q(se, 21, () => l, ({ note: e, members: t }) => t[0], (e, t) => {
		let n = () => W(t).note, r = () => W(t).members;
		var i = lc(), a = L(i);
		Q(a, 16, r, (e) => e, (e, t) => {
			var n = cc(), r = L(n), i = z(r, !0), a = B(r, 2), o = z(a, !0), s = z(B(a, 2), !0);
			O(n), V(() => {
				Y(i, t + 1), Y(o, c[t].title), Y(s, c[t].key);
			}), J(e, n);
		});
		var o = B(a, 2, !0);
		O(i), V(() => Y(o, n())), J(e, i);
	}), O(se), O(ie), O(re);
	var ce = B(re, 2), le = L(ce), ue = B(le, 2);
	O(ce), V((e, t, n) => {
		Y(v, o.name), Y(y, `, ${o.type ?? ""}, ${o.dtype ?? ""}. Weights `), Y(x, e), Y(C, t), Y(w, `. The page was made by Attlas ${a.attlas ?? ""} on ${a.when ?? ""} `), ie.open = W(u) || void 0, Y(oe, n);
	}, [
		() => o.weights.slice(0, 16),
		() => o.config.slice(0, 16),
		() => da(c.length, "statistic")
	]), G("click", le, () => ba(new Blob([JSON.stringify(r.document)], { type: "application/json" }), `${o.title.replace(/[^\w.-]+/g, "-")}-report.json`)), G("click", ue, () => window.print()), J(e, f), M();
}
wr(["click"]);
// src/report/Choice.svelte
var fc = /* @__PURE__ */ K("<option>Likeness, as a map</option>"), pc = /* @__PURE__ */ K("<option> </option>"), mc = /* @__PURE__ */ K("<optgroup label=\"Names\"></optgroup>"), hc = /* @__PURE__ */ K("<optgroup></optgroup>"), gc = /* @__PURE__ */ K("<label class=\"choice svelte-gvvuan\"><span> </span> <select class=\"svelte-gvvuan\"><!><!><!></select></label>");
function _c(e, t) {
	j(t, !0);
	let n = Fi(t, "names", 3, !1), r = Fi(t, "plane", 3, !1), { document: i } = A("report").book, a = {
		surface: "Where it looks",
		pattern: "Patterns and shapes",
		link: "Relations of grammar",
		effect: "Disabling",
		gradient: "Gradients",
		distance: "Likeness",
		weight: "Weights"
	}, o = [...new Set(i.statistics.map(({ family: e }) => e))];
	var s = gc(), c = L(s), l = z(c, !0), u = B(c, 2), d = L(u), f = (e) => {
		var t = fc();
		t.value = t.__value = "plane", J(e, t);
	};
	X(d, (e) => {
		r() && e(f);
	});
	var p = B(d), m = (e) => {
		var t = mc();
		Q(t, 21, () => i.names, ({ kind: e, title: t }) => e, (e, t) => {
			let n = () => W(t).kind, r = () => W(t).title;
			var i = pc(), a = z(i, !0), o = {};
			V(() => {
				Y(a, r()), o !== (o = n()) && (i.value = (i.__value = o) ?? "");
			}), J(e, i);
		}), O(t), J(e, t);
	};
	X(p, (e) => {
		n() && i.names.length > 0 && e(m);
	}), Q(B(p), 16, () => o, (e) => e, (e, t) => {
		var n = hc();
		Q(n, 21, () => i.statistics.filter((e) => e.family === t), ({ key: e, title: t }) => e, (e, t) => {
			let n = () => W(t).key, r = () => W(t).title;
			var i = pc(), a = z(i, !0), o = {};
			V(() => {
				Y(a, r()), o !== (o = n()) && (i.value = (i.__value = o) ?? "");
			}), J(e, i);
		}), O(n), V(() => $(n, "label", a[t] ?? t)), J(e, n);
	}), O(u);
	var h;
	hi(u), O(s), V(() => {
		Y(l, t.label), h !== (h = t.value) && (u.value = (u.__value = h) ?? "", mi(u, h));
	}), G("change", u, (e) => t.onchoose(e.currentTarget.value)), J(e, s), M();
}
// node_modules/svelte/src/internal/flags/legacy.js
wr(["change"]), Ge();
// src/report/Layers.svelte
var vc = /* @__PURE__ */ K("<small class=\"svelte-tp15s0\"> </small>"), yc = /* @__PURE__ */ q("<circle><title> </title></circle>"), bc = /* @__PURE__ */ K("<figure class=\"svelte-tp15s0\"><figcaption class=\"svelte-tp15s0\"><span tabindex=\"0\"> </span><sup class=\"note\"> </sup><!></figcaption> <svg role=\"img\" class=\"svelte-tp15s0\"><path></path><path fill-opacity=\"0.14\"></path><path fill=\"none\" stroke-width=\"2\" stroke-linejoin=\"round\"></path><!></svg> <p class=\"svelte-tp15s0\"><span>0</span><span> </span><span> </span></p></figure>"), xc = /* @__PURE__ */ K("<div class=\"multiples svelte-tp15s0\"></div> <p class=\"quiet svelte-tp15s0\">Each line is the mean over the heads of a layer; the band is one standard error of that mean.</p>", 1);
function Sc(e, t) {
	j(t, !1);
	let n = A("report"), { book: r } = n, { layers: i, statistics: a, model: o } = r.document, [s, c] = [240, 76], l = i.filter(({ means: e }) => new Set(e.filter((e) => e !== null)).size > 1);
	function u({ means: e, stderr: t }) {
		let n = e.flatMap((e, n) => e === null ? [] : [{
			layer: n,
			mean: e,
			error: t[n] ?? 0
		}]), r = Math.max(...n.map(({ mean: e, error: t }) => e + t)), i = Math.min(0, ...n.map(({ mean: e, error: t }) => e - t)), a = (t) => 8 + (s - 16) * t / Math.max(1, e.length - 1), o = (e) => c - 8 - (c - 16) * (e - i) / (r - i || 1), l = n.map(({ layer: e, mean: t }, n) => `${n ? "L" : "M"}${a(e)} ${o(t)}`).join(""), u = n.map(({ layer: e, mean: t, error: n }) => `${a(e)} ${o(t + n)}`), d = n.map(({ layer: e, mean: t, error: n }) => `${a(e)} ${o(t - n)}`).reverse(), f = n.reduce((e, t) => t.mean > e.mean ? t : e), p = n.reduce((e, t) => t.mean < e.mean ? t : e);
		return {
			known: n,
			x: a,
			y: o,
			line: l,
			band: `M${[...u, ...d].join("L")}Z`,
			zero: o(Math.max(i, 0)),
			top: f,
			low: p
		};
	}
	ji();
	var d = xc(), f = R(d);
	Q(f, 5, () => l, Z, (e, t) => {
		let r = /* @__PURE__ */ gt(() => u(W(t))), i = /* @__PURE__ */ gt(() => a[W(t).statistic]);
		var l = bc(), d = L(l), f = L(d), p = z(f, !0), m = B(f), h = z(m, !0), g = B(m), _ = (e) => {
			var n = vc(), r = z(n, !0);
			V(() => Y(r, W(t).kind)), J(e, n);
		};
		X(g, (e) => {
			o.grids.length > 1 && e(_);
		}), O(d);
		var v = B(d, 2), y = L(v), b = B(y), x = B(b);
		Q(B(x), 1, () => W(r).known, ({ layer: e, mean: t }) => e, (e, t) => {
			let a = () => W(t).layer, o = () => W(t).mean;
			var s = yc(), c = z(L(s));
			O(s), V((e, t, i) => {
				$(s, "cx", e), $(s, "cy", t), $(s, "r", a() === W(r).top.layer || a() === W(r).low.layer ? 3.5 : 1.5), $(s, "fill", n.colours.accent), Y(c, `layer ${a() ?? ""}: ${i ?? ""}`);
			}, [
				() => W(r).x(a()),
				() => W(r).y(o()),
				() => $i(W(i), o())
			]), J(e, s);
		}), O(v);
		var S = B(v, 2), C = B(L(S)), w = z(C), ee = z(B(C), !0);
		O(S), O(l), V((e) => {
			$(f, "data-tells", `statistic ${W(t).statistic ?? ""}`), Y(p, W(i).title), Y(h, W(t).statistic + 1), $(v, "viewBox", `0 0 ${s ?? ""} ${c ?? ""}`), $(v, "aria-label", `${W(i).title ?? ""}: largest in layer ${W(r).top.layer ?? ""}, smallest in layer ${W(r).low.layer ?? ""}`), $(y, "d", `M8 ${W(r).zero ?? ""}H${s - 8}`), $(y, "stroke", n.colours.edge), $(b, "d", W(r).band), $(b, "fill", n.colours.accent), $(x, "d", W(r).line), $(x, "stroke", n.colours.accent), Y(w, `most in layer ${W(r).top.layer ?? ""}: ${e ?? ""}${W(i).unit === "share" ? " %" : ""}`), Y(ee, W(t).means.length - 1);
		}, [() => ta(W(i), W(r).top.mean)]), J(e, l);
	}), O(f), Ee(2), J(e, d), M();
}
// src/report/Legend.svelte
var Cc = /* @__PURE__ */ K("<button type=\"button\" class=\"svelte-1bnyow1\"><i class=\"svelte-1bnyow1\"></i></button>"), wc = /* @__PURE__ */ K("<div class=\"bars svelte-1bnyow1\" role=\"group\"></div> <div class=\"ends svelte-1bnyow1\"><span> </span><span> </span></div>", 1), Tc = /* @__PURE__ */ K("<button type=\"button\" class=\"svelte-1bnyow1\"><i class=\"svelte-1bnyow1\"></i><bdi> </bdi> <span class=\"svelte-1bnyow1\"> </span></button>"), Ec = /* @__PURE__ */ K("<p class=\"rules svelte-1bnyow1\"> </p>"), Dc = /* @__PURE__ */ K("<div class=\"names svelte-1bnyow1\" role=\"group\" aria-label=\"Heads by name\"></div> <!>", 1);
function Oc(e, t) {
	j(t, !0);
	let n = A("report"), { book: r } = n, i = (e) => n.go({ only: n.only === e ? "" : e }), a = /* @__PURE__ */ N(() => Math.max(1, ...n.bars.map(({ heads: e }) => e))), o = /* @__PURE__ */ N(() => typeof n.colouring == "number" ? r.document.statistics[n.colouring] : null), s = /* @__PURE__ */ N(() => {
		if (typeof n.colouring == "number") return [];
		let { choices: e, heads: t } = n.colouring;
		return e.map((e, n) => ({
			choice: e,
			heads: t.filter((e) => e === n).length
		})).filter(({ heads: e }) => e > 0);
	});
	var c = Pr(), l = R(c), u = (e) => {
		var t = wc(), r = R(t);
		Q(r, 21, () => n.bars, Z, (e, t, r) => {
			let s = () => W(t).from, c = () => W(t).to, l = () => W(t).heads, u = () => W(t).colour;
			var d = Cc(), f = L(d);
			let p;
			O(d), V((e, t, n, r, i, o, s) => {
				d.disabled = l() === 0, $(d, "aria-pressed", e), $(d, "aria-label", `${t ?? ""} from ${n ?? ""} to ${r ?? ""}`), $(d, "title", `${i ?? ""} from ${o ?? ""} to ${s ?? ""}`), p = di(f, "", p, {
					height: `${l() === 0 ? 2 : 6 + 42 * l() / W(a)}px`,
					background: u()
				});
			}, [
				() => n.only === String(r),
				() => da(l(), "head"),
				() => $i(W(o), s()),
				() => $i(W(o), c()),
				() => da(l(), "head"),
				() => $i(W(o), s()),
				() => $i(W(o), c())
			]), G("click", d, () => i(String(r))), J(e, d);
		}), O(r);
		var s = B(r, 2), c = L(s), l = z(c, !0), u = z(B(c), !0);
		O(s), V((e, t) => {
			$(r, "aria-label", `Heads by ${W(o).title ?? ""}`), Y(l, e), Y(u, t);
		}, [() => $i(W(o), n.domain[0]), () => $i(W(o), n.domain[1])]), J(e, t);
	}, d = (e) => {
		var t = Dc(), r = R(t);
		Q(r, 21, () => W(s), ({ choice: e, heads: t }) => e.name, (e, t) => {
			let r = () => W(t).choice, a = () => W(t).heads;
			var o = Tc(), s = L(o);
			let c;
			var l = B(s), u = z(l, !0), d = z(B(l, 2), !0);
			O(o), V(() => {
				$(o, "aria-pressed", n.only === r().name), $(o, "title", r().meaning), c = di(s, "", c, { background: n.dark ? r().dark : r().light }), Y(u, r().title), Y(d, a());
			}), G("click", o, () => i(r().name)), J(e, o);
		}), O(r);
		var a = B(r, 2), o = (e) => {
			var t = Ec(), r = z(t, !0);
			V(() => Y(r, n.colouring.rules)), J(e, t);
		};
		X(a, (e) => {
			typeof n.colouring != "number" && n.colouring.rules && e(o);
		}), J(e, t);
	};
	X(l, (e) => {
		W(o) ? e(u) : e(d, -1);
	}), J(e, c), M();
}
wr(["click"]);
// src/report/scatter.ts
function kc(e, t, n = 4) {
	let r = (t - e) / n, i = 10 ** Math.floor(Math.log10(r)), a = [
		1,
		2,
		5,
		10
	].map((e) => e * i).find((e) => e >= r), o = Math.ceil(e / a - 1e-9), s = Math.floor(t / a + 1e-9);
	return Array.from({ length: Math.max(0, s - o + 1) }, (e, t) => (o + t) * a);
}
function Ac(e, t, n, r, i = 16) {
	let a = (e) => [...e].sort((e, t) => e - t)[e.length >> 1] ?? 0, [o, s] = [a(e.map(({ x: e }) => e)), a(e.map(({ y: e }) => e))], c = ({ x: e, y: t }) => ((e - o) / n) ** 2 + ((t - s) / r) ** 2, l = [], u = [];
	for (let r of [...e].sort((e, t) => c(t) - c(e))) {
		if (u.length >= i) break;
		for (let i of t(r.head)) {
			let t = 6.1 * i.length, a = ["start", "end"].map((e) => {
				let n = e === "start" ? r.x + 8 : r.x - 8 - t;
				return {
					anchor: e,
					box: [
						n,
						r.y - 7,
						n + t,
						r.y + 7
					]
				};
			}).find(({ box: t }) => t[0] >= 0 && t[2] <= n && !l.some((e) => jc(t, e)) && e.filter(({ x: e, y: n }) => e > t[0] - 4 && e < t[2] + 4 && n > t[1] - 2 && n < t[3] + 2).length === 0);
			if (a) {
				l.push(a.box), u.push({
					...r,
					text: i,
					anchor: a.anchor
				});
				break;
			}
		}
	}
	return u;
}
function jc(e, t) {
	return e[0] < t[2] && t[0] < e[2] && e[1] < t[3] && t[1] < e[3];
}
// src/report/Scatter.svelte
var Mc = /* @__PURE__ */ q("<path stroke-opacity=\"0.5\"></path><text text-anchor=\"middle\" font-size=\"12\"> </text>", 1), Nc = /* @__PURE__ */ q("<path stroke-opacity=\"0.5\"></path><text text-anchor=\"end\" dominant-baseline=\"central\" font-size=\"12\"> </text>", 1), Pc = /* @__PURE__ */ q("<!><!><text text-anchor=\"end\" font-size=\"12\"> </text><text font-size=\"12\"> </text>", 1), Fc = /* @__PURE__ */ q("<text font-size=\"12\">Heads that do the same lie near each other; the axes mean nothing by themselves.</text>"), Ic = /* @__PURE__ */ q("<a tabindex=\"-1\"><circle></circle></a>"), Lc = /* @__PURE__ */ q("<text dominant-baseline=\"central\" font-size=\"11\" pointer-events=\"none\"> </text>"), Rc = /* @__PURE__ */ K("<div class=\"choices svelte-sdt1t4\"><!> <!></div> <div class=\"room\"><svg role=\"group\" class=\"svelte-sdt1t4\"><!><!><!></svg></div> <!>", 1);
function zc(e, t) {
	j(t, !0);
	let n = A("report"), { book: r } = n, { statistics: i, heads: a } = r.document, o = /* @__PURE__ */ F(520), s = /* @__PURE__ */ F(void 0), [c, l, u, d] = [
		44,
		14,
		30,
		46
	], f = /* @__PURE__ */ N(() => Math.max(280, W(o))), p = (...e) => e.map((e) => r.named(e)).find((e) => e !== null) ?? null, m = p("entropy.all", "entropy") ?? 0, h = p("to_previous", "to_self") ?? Math.min(1, i.length - 1), g = /* @__PURE__ */ N(() => n.x === "plane" && a.plane !== null), _ = /* @__PURE__ */ N(() => r.named(n.x) ?? m), v = /* @__PURE__ */ N(() => r.named(n.y) ?? h), y = /* @__PURE__ */ N(() => {
		if (W(g)) {
			let e = a.plane.map(([e]) => e), t = a.plane.map(([, e]) => e);
			return {
				x: b(Math.min(...e), Math.max(...e)),
				y: b(Math.min(...t), Math.max(...t))
			};
		}
		return {
			x: b(...r.domain(W(_))),
			y: b(...r.domain(W(v)))
		};
	}), b = (e, t) => [e - .03 * (t - e), t + .03 * (t - e || 1)], x = /* @__PURE__ */ N(() => (e) => c + (W(f) - c - l) * (e - W(y).x[0]) / (W(y).x[1] - W(y).x[0])), S = /* @__PURE__ */ N(() => (e) => 400 - d - (400 - u - d) * (e - W(y).y[0]) / (W(y).y[1] - W(y).y[0])), C = /* @__PURE__ */ N(() => a.address.flatMap((e, t) => {
		let [n, r] = W(g) ? a.plane[t] : [i[W(_)].values[t], i[W(v)].values[t]];
		return n === null || r === null ? [] : [{
			head: t,
			x: W(x)(n),
			y: W(S)(r)
		}];
	})), w = /* @__PURE__ */ N(() => Ac(W(C).filter(({ head: e }) => n.stays(e)), (e) => {
		let t = r.calledFirst(e)?.title;
		return t ? [`${r.address(e)} ${t}`, r.address(e)] : [r.address(e)];
	}, W(f), 400, W(f) < 420 ? 8 : 14));
	var ee = Rc(), te = R(ee), ne = L(te);
	{
		let e = /* @__PURE__ */ N(() => W(g) ? "plane" : i[W(_)].key), t = /* @__PURE__ */ N(() => a.plane !== null);
		_c(ne, {
			label: "Across",
			get value() {
				return W(e);
			},
			get plane() {
				return W(t);
			},
			onchoose: (e) => n.go({ x: e })
		});
	}
	var re = B(ne, 2), ie = (e) => {
		_c(e, {
			label: "Up",
			get value() {
				return i[W(v)].key;
			},
			onchoose: (e) => n.go({ y: e })
		});
	};
	X(re, (e) => {
		W(g) || e(ie);
	}), O(te);
	var ae = B(te, 2), oe = L(ae), se = L(oe), ce = (e) => {
		let t = /* @__PURE__ */ N(() => kc(...W(y).x, W(f) < 420 ? 3 : 5)), r = /* @__PURE__ */ N(() => kc(...W(y).y, 4));
		var a = Pc(), o = R(a);
		Q(o, 18, () => W(t), (e) => e, (e, r, a) => {
			var o = Mc(), s = R(o), c = B(s), l = z(c, !0);
			V((e, t, r) => {
				$(s, "d", `M${e ?? ""} ${u ?? ""}V${400 - d}`), $(s, "stroke", n.colours.edge), $(c, "x", t), $(c, "y", 400 - d + 16), $(c, "fill", n.colours.quiet), Y(l, r);
			}, [
				() => W(x)(r),
				() => W(x)(r),
				() => na(i[W(_)], W(t))[W(a)]
			]), J(e, o);
		});
		var s = B(o);
		Q(s, 18, () => W(r), (e) => e, (e, t, a) => {
			var o = Nc(), s = R(o), u = B(s), d = z(u, !0);
			V((e, t, r) => {
				$(s, "d", `M${c ?? ""} ${e ?? ""}H${W(f) - l}`), $(s, "stroke", n.colours.edge), $(u, "x", c - 8), $(u, "y", t), $(u, "fill", n.colours.quiet), Y(d, r);
			}, [
				() => W(S)(t),
				() => W(S)(t),
				() => na(i[W(v)], W(r))[W(a)]
			]), J(e, o);
		});
		var p = B(s);
		$(p, "y", 394);
		var m = z(p), h = B(p);
		$(h, "x", 4), $(h, "y", 12);
		var g = z(h);
		V(() => {
			$(p, "x", W(f) - l), $(p, "fill", n.colours.ink), Y(m, `${i[W(_)].title ?? ""}${i[W(_)].unit === "share" ? ", %" : ""} →`), $(h, "fill", n.colours.ink), Y(g, `↑ ${i[W(v)].title ?? ""}${i[W(v)].unit === "share" ? ", %" : ""}`);
		}), J(e, a);
	}, le = (e) => {
		var t = Fc();
		$(t, "y", 394), V(() => {
			$(t, "x", c), $(t, "fill", n.colours.quiet);
		}), J(e, t);
	};
	X(se, (e) => {
		W(g) ? e(le, -1) : e(ce);
	});
	var ue = B(se);
	Q(ue, 17, () => W(C), ({ head: e, x: t, y: n }) => e, (e, t) => {
		let i = () => W(t).head, a = () => W(t).x, o = () => W(t).y;
		var s = Ic(), c = z(s);
		V((e, t, r, l) => {
			$(s, "href", e), $(s, "data-tells", `head ${i() ?? ""}`), $(s, "aria-label", `Head ${t ?? ""}`), $(c, "cx", a()), $(c, "cy", o()), $(c, "r", n.pointed === i() ? 8 : 5), $(c, "fill", r), $(c, "fill-opacity", l), $(c, "stroke", n.pointed === i() ? n.colours.ink : n.colours.page), $(c, "stroke-width", n.pointed === i() ? 2 : .75);
		}, [
			() => n.link(i()),
			() => r.address(i()),
			() => n.colour(i()),
			() => n.opacity(i())
		]), J(e, s);
	}), Q(B(ue), 17, () => W(w), ({ head: e, x: t, y: n, text: r, anchor: i }) => e, (e, t) => {
		let r = () => W(t).x, i = () => W(t).y, a = () => W(t).text, o = () => W(t).anchor;
		var s = Lc(), c = z(s, !0);
		V(() => {
			$(s, "x", r() + (o() === "start" ? 8 : -8)), $(s, "y", i()), $(s, "text-anchor", o()), $(s, "fill", n.colours.ink), Y(c, a());
		}), J(e, s);
	}), O(oe), Ai(oe, (e) => I(s, e), () => W(s)), O(ae), Po(B(ae, 2), {
		get picture() {
			return W(s);
		},
		name: "scatter"
	}), V(() => {
		$(oe, "viewBox", `0 0 ${W(f) ?? ""} 400`), $(oe, "aria-label", W(g) ? "Heads by how alike they are" : `Heads by ${i[W(_)].title} and ${i[W(v)].title}`), $(oe, "font-family", n.printing ? "sans-serif" : void 0);
	}), Oi(ae, "clientWidth", (e) => I(o, e)), J(e, ee), M();
}
// src/report/Overview.svelte
var Bc = /* @__PURE__ */ K("<li class=\"svelte-5snfd7\"><!></li>"), Vc = /* @__PURE__ */ K("<section aria-labelledby=\"attlas-stands-out\" class=\"svelte-5snfd7\"><h2 id=\"attlas-stands-out\">What stands out</h2> <ul class=\"stands-out svelte-5snfd7\"></ul></section>"), Hc = /* @__PURE__ */ K("<span class=\"quiet\"> <button type=\"button\">Show all</button></span>"), Uc = /* @__PURE__ */ K("<h3> </h3>"), Wc = /* @__PURE__ */ K("<!> <!>", 1), Gc = /* @__PURE__ */ K("<section aria-labelledby=\"attlas-apart\"><h2 id=\"attlas-apart\">Heads apart</h2> <!></section>"), Kc = /* @__PURE__ */ K("<section aria-labelledby=\"attlas-layers\"><h2 id=\"attlas-layers\">Layer by layer</h2> <!></section>"), qc = /* @__PURE__ */ K("<header class=\"svelte-5snfd7\"><h1 tabindex=\"-1\" class=\"svelte-5snfd7\"><bdi> </bdi></h1> <p class=\"quiet svelte-5snfd7\"> </p></header> <div class=\"glance svelte-5snfd7\"><!> <section aria-labelledby=\"attlas-every\" class=\"svelte-5snfd7\"><h2 id=\"attlas-every\">Every head</h2> <div class=\"colouring svelte-5snfd7\"><!> <!></div> <div class=\"grids svelte-5snfd7\"></div> <!></section></div> <!> <!> <section aria-labelledby=\"attlas-table\"><h2 id=\"attlas-table\">In numbers</h2> <!></section> <!>", 1);
function Jc(e, t) {
	j(t, !0);
	let n = A("report"), { book: r } = n, { model: i, stands_out: a, stands_out_tells: o, layers: s, chapters: c, statistics: l } = r.document, u = [...Array(r.count).keys()], d = /* @__PURE__ */ N(() => u.filter((e) => n.stays(e))), f = /* @__PURE__ */ N(() => typeof n.colouring == "number" ? l[n.colouring].key : n.colouring.kind), p = i.grids.map(({ kind: e, layers: t, width: n }) => `${i.grids.length > 1 ? `${e} ` : ""}${t} × ${n}`).join(", ");
	var m = qc(), h = R(m), g = L(h), _ = z(L(g), !0);
	O(g);
	var v = z(B(g, 2));
	O(h);
	var y = B(h, 2), b = L(y), x = (e) => {
		var t = Vc(), n = B(L(t), 2);
		Q(n, 21, () => a, Z, (e, t, n) => {
			var r = Bc();
			Ha(L(r), {
				get sentence() {
					return W(t);
				},
				get about() {
					return o[n];
				}
			}), O(r), J(e, r);
		}), O(n), O(t), J(e, t);
	};
	X(b, (e) => {
		a.length > 0 && e(x);
	});
	var S = B(b, 2), C = B(L(S), 2), w = L(C);
	_c(w, {
		label: "Colour by",
		names: !0,
		get value() {
			return W(f);
		},
		onchoose: (e) => n.go({
			colour: e,
			only: ""
		})
	});
	var ee = B(w, 2), te = (e) => {
		var t = Hc(), r = L(t), i = B(r);
		O(t), V((e) => Y(r, `${e ?? ""} `), [() => da(W(d).length, "head")]), G("click", i, () => n.go({ only: "" })), J(e, t);
	};
	X(ee, (e) => {
		n.only && e(te);
	}), O(C);
	var ne = B(C, 2);
	Q(ne, 21, () => i.grids, (e) => e.kind, (e, t) => {
		var n = Wc(), r = R(n), a = (e) => {
			var n = Uc(), r = z(n, !0);
			V(() => Y(r, W(t).kind)), J(e, n);
		};
		X(r, (e) => {
			i.grids.length > 1 && e(a);
		}), Vo(B(r, 2), {
			get grid() {
				return W(t);
			},
			saved: !0
		}), J(e, n);
	}), O(ne), Oc(B(ne, 2), {}), O(S), O(y);
	var re = B(y, 2), ie = (e) => {
		var t = Gc();
		zc(B(L(t), 2), {}), O(t), J(e, t);
	};
	X(re, (e) => {
		l.length > 1 && r.count > 1 && e(ie);
	});
	var ae = B(re, 2), oe = (e) => {
		var t = Kc();
		Sc(B(L(t), 2), {}), O(t), J(e, t);
	}, se = /* @__PURE__ */ N(() => s.some(({ means: e }) => e.length > 1));
	X(ae, (e) => {
		W(se) && e(oe);
	});
	var ce = B(ae, 2);
	La(B(L(ce), 2), {
		get heads() {
			return W(d);
		},
		first: 12
	}), O(ce), dc(B(ce, 2), {}), V((e, t) => {
		Y(_, i.title), Y(v, `${e ?? ""} (${p ?? ""}) · ${i.type ?? ""} · ${t ?? ""} of measurements`);
	}, [() => da(r.count, "head"), () => da(c.length, "chapter")]), J(e, m), M();
}
wr(["click"]);
// src/report/telling.ts
function Yc(e, t) {
	let [n, ...r] = e.split(" "), [i, a] = r.map(Number);
	if (n === "head") return {
		title: `Head ${t.address(i)}`,
		lines: [Xc(t.sentences(i))]
	};
	if (n === "statistic") {
		let e = t.document.statistics[i], n = Number.isInteger(a) ? a : null, r = n === null ? "" : `: ${$i(e, e.values[n], e.stderr[n])}`;
		return {
			title: e.title + r,
			lines: t.note(e, n)
		};
	}
	if (n === "chapter") {
		let { title: e, notes: n } = t.document.chapters[i];
		return {
			title: e,
			lines: [`Read ${t.read(i) || "nothing that was counted"}.`, ...n]
		};
	}
	return null;
}
var Xc = (e, t = 260) => e.length > t ? `${e.slice(0, t)}…` : e, Zc = /* @__PURE__ */ K("<p class=\"svelte-1xz505z\"> </p>"), Qc = /* @__PURE__ */ K("<div class=\"tip svelte-1xz505z\" role=\"tooltip\"><strong><bdi> </bdi></strong> <!></div>");
function $c(e, t) {
	j(t, !0);
	let n = Fi(t, "state", 7), r = /* @__PURE__ */ F(null), i = /* @__PURE__ */ F(void 0), a = /* @__PURE__ */ F({
		x: 0,
		y: 0
	}), o = /* @__PURE__ */ N(() => W(r) && Yc(W(r).getAttribute("data-tells"), n().book)), s = (e) => e.target?.closest?.("[data-tells]") ?? null;
	bn(() => {
		if (!t.root) return;
		let e = (e) => e.pointerType === "mouse" && I(r, s(e)), n = (e) => I(r, e.target.matches(":focus-visible") ? s(e) : W(r)), i = (e) => {
			let t = s(e);
			t?.closest("a, button") || I(r, t);
		}, a = () => {
			let e = W(r);
			queueMicrotask(() => W(r) === e && I(r, null));
		}, o = (e) => e.key === "Escape" && a();
		return t.root.addEventListener("pointerover", e), t.root.addEventListener("pointerleave", a), t.root.addEventListener("focusin", n), t.root.addEventListener("focusout", a), t.root.addEventListener("click", i), t.root.addEventListener("keydown", o), window.addEventListener("scroll", a, { passive: !0 }), window.addEventListener("hashchange", a), () => {
			t.root.removeEventListener("pointerover", e), t.root.removeEventListener("pointerleave", a), t.root.removeEventListener("focusin", n), t.root.removeEventListener("focusout", a), t.root.removeEventListener("click", i), t.root.removeEventListener("keydown", o), window.removeEventListener("scroll", a), window.removeEventListener("hashchange", a);
		};
	}), bn(() => {
		if (!W(r) || !W(i)) return;
		let [e, t] = [W(r).getBoundingClientRect(), W(i).getBoundingClientRect()], n = Math.max(8, Math.min(e.left + e.width / 2 - t.width / 2, document.documentElement.clientWidth - t.width - 8)), o = e.top - t.height - 8 > 0 ? e.top - t.height - 8 : e.bottom + 8;
		I(a, {
			x: n,
			y: o
		});
	}), bn(() => {
		let e = W(r)?.getAttribute("data-tells") ?? "";
		n().pointed = e.startsWith("head ") ? Number(e.slice(5)) : null;
	});
	var c = Pr(), l = R(c), u = (e) => {
		var t = Qc();
		let n;
		var r = L(t), s = z(L(r), !0);
		O(r), Q(B(r, 2), 17, () => W(o).lines, Z, (e, t) => {
			var n = Zc(), r = z(n, !0);
			V(() => Y(r, W(t))), J(e, n);
		}), O(t), Ai(t, (e) => I(i, e), () => W(i)), V(() => {
			n = di(t, "", n, {
				left: `${W(a).x ?? ""}px`,
				top: `${W(a).y ?? ""}px`
			}), Y(s, W(o).title);
		}), J(e, t);
	};
	X(l, (e) => {
		W(o) && e(u);
	}), J(e, c), M();
}
// src/report/Report.svelte
var el = /* @__PURE__ */ K("<!> <!>", 1), tl = /* @__PURE__ */ K("<h1 tabindex=\"-1\"> </h1> <p>The heads of <bdi> </bdi> </p>", 1), nl = /* @__PURE__ */ K("<section aria-labelledby=\"attlas-briefly\"><h2 id=\"attlas-briefly\"> </h2> <!></section> <!>", 1), rl = /* @__PURE__ */ K("<div class=\"report svelte-1gwpscg\"><nav class=\"bar svelte-1gwpscg\" aria-label=\"Report\"><a class=\"home svelte-1gwpscg\"><!></a> <!></nav> <div class=\"body svelte-1gwpscg\"><div><!></div> <!> <!> <!></div> <!></div>");
function il(e, t) {
	j(t, !0);
	let n = Fi(t, "state", 7);
	Ye("report", n());
	let { book: r } = n(), { model: i } = r.document, a = /* @__PURE__ */ F(void 0), o = /* @__PURE__ */ N(() => n().route.head ? "card" : n().route.find ? "answers" : "overview"), s = /* @__PURE__ */ N(() => n().head === null ? i.title : `Head ${r.address(n().head)} · ${i.title}`), c = /* @__PURE__ */ N(() => W(o) === "answers" ? n().found.heads : [...Array(r.count).keys()]), l = /* @__PURE__ */ new Map();
	bn(() => {
		let e = matchMedia("(prefers-color-scheme: dark)"), t = () => !n().printing && (n().dark = e.matches);
		return e.addEventListener("change", t), () => e.removeEventListener("change", t);
	}), bn(() => {
		document.title = `${W(s)} · Attlas report`;
	}), bn(() => {
		history.scrollRestoration = "manual";
		let e = W(o), t = async () => {
			e !== "card" && l.set(e, window.scrollY), n().follow(location.hash), await dr();
			let t = W(o) !== "card" && e === "card";
			window.scrollTo(0, t ? l.get(W(o)) ?? 0 : 0), W(o) === "card" && W(a)?.querySelector("article h1")?.focus({ preventScroll: !0 }), e = W(o);
		};
		return window.addEventListener("hashchange", t), () => window.removeEventListener("hashchange", t);
	}), bn(() => {
		let e = () => {
			n().printing = W(o) === "card" ? "card" : "all", n().dark = !1, Nt();
		}, t = () => {
			n().printing = "", n().dark = Vi("system");
		};
		return window.addEventListener("beforeprint", e), window.addEventListener("afterprint", t), () => {
			window.removeEventListener("beforeprint", e), window.removeEventListener("afterprint", t);
		};
	});
	function u(e) {
		bn(() => {
			for (let [t, r] of Object.entries(n().dark ? zi.dark : zi.light)) e.style.setProperty(`--${t}`, r);
			e.style.setProperty("--font", Bi), e.style.setProperty("color-scheme", n().dark ? "dark" : "light"), document.body.style.background = n().colours.page;
		});
	}
	var d = rl(), f = L(d), p = L(f), m = L(p), h = (e) => {
		J(e, Nr("Attlas report"));
	}, g = (e) => {
		var t = Nr();
		V((e) => Y(t, `← ${e ?? ""}`), [() => W(o) === "card" && n().back.includes("find=") ? "Answers" : "All heads"]), J(e, t);
	};
	X(m, (e) => {
		W(o) === "overview" ? e(h) : e(g, -1);
	}), O(p), $s(B(p, 2), {}), O(f);
	var _ = B(f, 2), v = L(_);
	Jc(L(v), {}), O(v);
	var y = B(v, 2), b = (e) => {
		Xa(e, {});
	};
	X(y, (e) => {
		W(o) === "answers" && e(b);
	});
	var x = B(y, 2), S = (e) => {
		var t = Pr(), a = R(t), o = (e) => {
			var t = el(), r = R(t);
			Gr(r, () => n().head, (e) => {
				{
					let t = /* @__PURE__ */ N(() => n().printing === "card");
					Fs(e, {
						get head() {
							return n().head;
						},
						get printed() {
							return W(t);
						}
					});
				}
			});
			var i = B(r, 2), a = (e) => {
				dc(e, {});
			};
			X(i, (e) => {
				n().printing === "card" && e(a);
			}), J(e, t);
		}, s = (e) => {
			var t = tl(), a = R(t), o = z(a), s = B(a, 2), c = B(L(s)), l = z(c, !0), u = B(c);
			O(s), V((e, t) => {
				Y(o, `No head ${n().route.head ?? ""}`), Y(l, i.title), Y(u, ` are ${e ?? ""} to ${t ?? ""}.`);
			}, [() => r.address(0), () => r.address(r.count - 1)]), J(e, t);
		};
		X(a, (e) => {
			n().head === null ? e(s, -1) : e(o);
		}), J(e, t);
	};
	X(x, (e) => {
		W(o) === "card" && e(S);
	});
	var C = B(x, 2), w = (e) => {
		var t = nl(), n = R(t), i = L(n), a = z(i);
		Q(B(i, 2), 16, () => W(c), (e) => e, (e, t) => {
			Vs(e, { get head() {
				return t;
			} });
		}), O(n);
		var s = B(n, 2), l = (e) => {
			dc(e, {});
		};
		X(s, (e) => {
			W(o) === "answers" && e(l);
		}), V(() => Y(a, `${W(c).length === r.count ? "Every head" : "The heads that were found"}, briefly`)), J(e, t);
	};
	X(C, (e) => {
		n().printing === "all" && e(w);
	}), O(_), $c(B(_, 2), {
		get state() {
			return n();
		},
		get root() {
			return W(a);
		}
	}), O(d), Ai(d, (e) => I(a, e), () => W(a)), ei(d, () => u), V(() => {
		$(d, "data-theme", n().dark ? "dark" : "light"), $(p, "href", W(o) === "overview" ? "#" : W(o) === "card" ? n().back : "#"), $(v, "hidden", W(o) !== "overview");
	}), J(e, d), M();
}
var al = "Nothing that Attlas measures has these words. Ask for places (previous, [SEP]), patterns (induction), relations (subject, object), shapes, breadth, or which heads matter.", ol = /(?<![\p{L}\p{N}_.])(?:(?:encoder|decoder|cross)\.)?\d+\.\d+(?![\p{L}\p{N}_.]*\d)/gu;
function sl(e, t) {
	let n = Ws(e, t), r = (e) => n.conditions.every((t) => t.holds(e)), i = {
		missing: [],
		note: ""
	};
	if (!n.words) return {
		query: n,
		heads: [...Array(t.count).keys()].filter(r),
		answers: [],
		...i
	};
	let a = [...new Set(n.words.match(ol) ?? [])];
	if (a.length > 0) {
		let e = a.flatMap((e) => t.head(e) ?? []).filter(r);
		return {
			query: n,
			heads: e,
			answers: e.map((e) => ({
				head: e,
				sentences: t.document.cards[e].sentences,
				tells: t.document.cards[e].tells,
				sure: !0,
				about: ""
			})),
			missing: [],
			note: e.length === 0 ? `The heads are ${t.address(0)} to ${t.address(t.count - 1)}.` : ""
		};
	}
	let { heads: o, missing: s, asked: c } = t.matcher.answer(n.words, Infinity), l = o.length === 0 ? ll(c, t) : "", u = l || (o.length === 0 && s.length === 0 ? al : ""), d = o.map(({ topic: e, rank: t }) => ({
		head: e.heads[t],
		sentences: [e.sentences[t]],
		tells: [cl(e, e.heads[t])],
		sure: e.sure[t],
		about: e.title
	})).filter(({ head: e }) => r(e));
	return {
		query: n,
		heads: d.map(({ head: e }) => e),
		answers: d.slice(0, 5),
		missing: l ? [] : s,
		note: u
	};
}
var cl = ({ statistic: e, chapter: t }, n) => e === null ? `chapter ${t}` : `statistic ${e} ${n}`;
function ll(e, t) {
	let { heads: n, statistics: r } = t.document;
	if (e.has("next") && n.kind.every((e) => e === "decoder")) return "No head can: in a decoder, a token sees only those before it.";
	let i = (e, t) => r.some((n) => n.name === e && n.group === t);
	for (let [t, n] of [["sep", "[SEP]"], ["cls", "[CLS]"]]) if (e.has(t) && i("entropy", "all") && !i("to_class", t)) return `No head can: the model reads no ${n}.`;
	return "";
}
// src/report/route.ts
var ul = {
	head: "",
	find: "",
	sort: "",
	colour: "",
	only: "",
	x: "",
	y: ""
};
function dl(e) {
	return `#${Object.keys(ul).filter((t) => e[t]).map((t) => `${t}=${pl(e[t])}`).join("&")}`;
}
function fl(e) {
	let t = new URLSearchParams(e.replace(/^#/, "")), n = { ...ul };
	for (let e of Object.keys(ul)) n[e] = t.get(e) ?? "";
	return n;
}
var pl = (e) => encodeURIComponent(e).replaceAll("%20", "+").replaceAll("%3A", ":").replaceAll("%2C", ","), ml = 16, hl = class {
	book;
	#e = /* @__PURE__ */ F(!1);
	get dark() {
		return W(this.#e);
	}
	set dark(e) {
		I(this.#e, e, !0);
	}
	#t = /* @__PURE__ */ F(ul);
	get route() {
		return W(this.#t);
	}
	set route(e) {
		I(this.#t, e);
	}
	#n = /* @__PURE__ */ F("");
	get printing() {
		return W(this.#n);
	}
	set printing(e) {
		I(this.#n, e, !0);
	}
	#r = /* @__PURE__ */ F("#");
	get back() {
		return W(this.#r);
	}
	set back(e) {
		I(this.#r, e, !0);
	}
	#i = /* @__PURE__ */ F(null);
	get pointed() {
		return W(this.#i);
	}
	set pointed(e) {
		I(this.#i, e, !0);
	}
	#a = /* @__PURE__ */ N(() => this.dark ? zi.dark : zi.light);
	get colours() {
		return W(this.#a);
	}
	set colours(e) {
		I(this.#a, e);
	}
	#o = /* @__PURE__ */ N(() => this.route.find);
	get question() {
		return W(this.#o);
	}
	set question(e) {
		I(this.#o, e);
	}
	#s = /* @__PURE__ */ N(() => this.route.colour);
	get colourKey() {
		return W(this.#s);
	}
	set colourKey(e) {
		I(this.#s, e);
	}
	#c = /* @__PURE__ */ N(() => this.route.only);
	get only() {
		return W(this.#c);
	}
	set only(e) {
		I(this.#c, e);
	}
	#l = /* @__PURE__ */ N(() => this.route.x);
	get x() {
		return W(this.#l);
	}
	set x(e) {
		I(this.#l, e);
	}
	#u = /* @__PURE__ */ N(() => this.route.y);
	get y() {
		return W(this.#u);
	}
	set y(e) {
		I(this.#u, e);
	}
	#d = /* @__PURE__ */ N(() => this.route.sort);
	get sort() {
		return W(this.#d);
	}
	set sort(e) {
		I(this.#d, e);
	}
	#f = /* @__PURE__ */ N(() => this.route.head ? this.book.head(this.route.head) : null);
	get head() {
		return W(this.#f);
	}
	set head(e) {
		I(this.#f, e);
	}
	#p = /* @__PURE__ */ N(() => sl(this.question, this.book));
	get found() {
		return W(this.#p);
	}
	set found(e) {
		I(this.#p, e);
	}
	constructor(e) {
		this.book = e;
	}
	follow(e) {
		this.route = fl(e), this.route.head || (this.back = dl(this.route));
	}
	go(e, t = "replace") {
		let n = dl({
			...this.route,
			...e
		});
		try {
			t === "push" ? history.pushState(null, "", n) : history.replaceState(null, "", n);
		} catch {}
		this.follow(n);
	}
	link(e) {
		return dl({ head: this.book.address(e) });
	}
	#m = /* @__PURE__ */ N(() => {
		let { names: e } = this.book.document, t = e.find(({ kind: e }) => e === this.colourKey);
		if (t) return t;
		let n = this.book.named(this.colourKey);
		return this.colourKey && n !== null ? n : e.find(({ kind: e }) => e === "pattern") ?? e[0] ?? 0;
	});
	get colouring() {
		return W(this.#m);
	}
	set colouring(e) {
		I(this.#m, e);
	}
	#h = /* @__PURE__ */ N(() => typeof this.colouring == "number" ? this.book.domain(this.colouring) : [0, 1]);
	get domain() {
		return W(this.#h);
	}
	set domain(e) {
		I(this.#h, e);
	}
	#g = /* @__PURE__ */ N(() => {
		if (typeof this.colouring != "number") return [];
		let [e, t] = this.domain, n = (t - e) / ml, r = Array.from({ length: ml }, (t, r) => ({
			from: e + r * n,
			to: e + (r + 1) * n,
			heads: 0,
			colour: this.shade(e + (r + .5) * n)
		}));
		for (let e of this.book.document.statistics[this.colouring].values) e !== null && r[this.bar(e)].heads++;
		return r;
	});
	get bars() {
		return W(this.#g);
	}
	set bars(e) {
		I(this.#g, e);
	}
	bar(e) {
		let [t, n] = this.domain;
		return Math.max(0, Math.min(15, Math.floor(ml * (e - t) / (n - t))));
	}
	shade(e) {
		let [t, n] = this.domain;
		return t >= 0 ? Ko(this.dark, .04 + .86 * (e - t) / (n - t)) : Ko(this.dark, .5 + .45 * e / Math.max(-t, n, Number.MIN_VALUE), !0);
	}
	colour(e) {
		if (typeof this.colouring == "number") {
			let t = this.book.document.statistics[this.colouring].values[e];
			return t === null ? "none" : this.shade(t);
		}
		let t = this.book.name(this.colouring, e);
		return t ? this.dark ? t.dark : t.light : "none";
	}
	opacity(e) {
		return this.stays(e) ? typeof this.colouring != "number" && this.book.name(this.colouring, e)?.name === "none" && !this.only ? .28 : 1 : .08;
	}
	stays(e) {
		if (!this.only) return !0;
		if (typeof this.colouring != "number") return this.book.name(this.colouring, e)?.name === this.only;
		let t = this.book.document.statistics[this.colouring].values[e];
		return t !== null && this.bar(t) === Number(this.only);
	}
	says(e) {
		if (typeof this.colouring != "number") return this.book.name(this.colouring, e)?.title ?? "";
		let t = this.book.document.statistics[this.colouring];
		return `${t.title} ${$i(t, t.values[e], t.stderr[e])}`;
	}
};
// src/report/main.ts
async function gl(e) {
	return Li(Ii(document.querySelector(`script[data-attlas="${e}"]`).textContent));
}
async function _l(e) {
	try {
		let [t, n] = await Promise.all([gl("report"), gl("data")]), r = JSON.parse(new TextDecoder().decode(t));
		va(r, n.byteLength);
		let i = new hl(new ga(r, n));
		i.dark = Vi("system"), i.follow(location.hash), zr(il, {
			target: e,
			props: { state: i }
		}), Nt(), performance.mark("attlas-drawn");
	} catch (t) {
		let n = document.createElement("p");
		throw n.setAttribute("role", "alert"), n.textContent = t instanceof Error ? t.message : String(t), e.replaceChildren(n), t;
	}
}
_l(document.getElementById("attlas"));
