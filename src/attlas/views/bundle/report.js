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
var g = 1 << 24, _ = 1024, v = 2048, y = 4096, b = 8192, x = 16384, S = 32768, C = 1 << 25, w = 65536, ee = 1 << 19, te = 1 << 20, ne = 1 << 25, re = 1 << 21, ie = 1 << 22, ae = 1 << 23, T = Symbol("$state"), oe = Symbol("component"), se = Symbol("legacy props"), ce = Symbol(""), le = Symbol("attributes"), ue = Symbol("class"), de = Symbol("style"), fe = Symbol("text"), pe = Symbol("form reset"), me = new class extends Error {
	name = "StaleReactionError";
	message = "The reaction that called `getAbortSignal()` was re-run or destroyed";
}(), he = !!globalThis.document?.contentType && /* @__PURE__ */ globalThis.document.contentType.includes("xml"), ge = {}, E = Symbol("uninitialized"), _e = "http://www.w3.org/1999/xhtml";
function ve() {
	console.warn("https://svelte.dev/e/derived_inert");
}
function ye(e) {
	console.warn("https://svelte.dev/e/hydration_mismatch");
}
function be() {
	console.warn("https://svelte.dev/e/select_multiple_invalid_value");
}
function xe() {
	console.warn("https://svelte.dev/e/svelte_boundary_reset_noop");
}
// node_modules/svelte/src/internal/client/dom/hydration.js
var D = !1;
function Se(e) {
	D = e;
}
var O;
function Ce(e) {
	if (e === null) throw ye(), ge;
	return O = e;
}
function we() {
	return Ce(/* @__PURE__ */ sn(O));
}
function k(e) {
	if (D) {
		if (/* @__PURE__ */ sn(O) !== null) throw ye(), ge;
		O = e;
	}
}
function Te(e = 1) {
	if (D) {
		for (var t = e, n = O; t--;) n = /* @__PURE__ */ sn(n);
		O = n;
	}
}
function Ee(e = !0) {
	for (var t = 0, n = O;;) {
		if (n.nodeType === 8) {
			var r = n.data;
			if (r === "]") {
				if (t === 0) return n;
				--t;
			} else (r === "[" || r === "[!" || r[0] === "[" && !isNaN(Number(r.slice(1)))) && (t += 1);
		}
		var i = /* @__PURE__ */ sn(n);
		e && n.remove(), n = i;
	}
}
function De(e) {
	if (!e || e.nodeType !== 8) throw ye(), ge;
	return e.data;
}
// node_modules/svelte/src/internal/client/reactivity/equality.js
function Oe(e) {
	return e === this.v;
}
function ke(e, t) {
	return e == e ? e !== t || typeof e == "object" && !!e || typeof e == "function" : t == t;
}
function Ae(e) {
	return !ke(e, this.v);
}
function je(e) {
	throw Error("https://svelte.dev/e/lifecycle_outside_component");
}
// node_modules/svelte/src/internal/client/errors.js
function Me() {
	throw Error("https://svelte.dev/e/async_derived_orphan");
}
function Ne(e, t, n) {
	throw Error("https://svelte.dev/e/each_key_duplicate");
}
function Pe(e) {
	throw Error("https://svelte.dev/e/effect_in_teardown");
}
function Fe() {
	throw Error("https://svelte.dev/e/effect_in_unowned_derived");
}
function Ie(e) {
	throw Error("https://svelte.dev/e/effect_orphan");
}
function Le() {
	throw Error("https://svelte.dev/e/effect_update_depth_exceeded");
}
function Re(e) {
	throw Error("https://svelte.dev/e/props_invalid_value");
}
function ze() {
	throw Error("https://svelte.dev/e/state_descriptors_fixed");
}
function Be() {
	throw Error("https://svelte.dev/e/state_prototype_fixed");
}
function Ve() {
	throw Error("https://svelte.dev/e/state_unsafe_mutation");
}
function He() {
	throw Error("https://svelte.dev/e/svelte_boundary_reset_onerror");
}
// node_modules/svelte/src/internal/flags/index.js
var Ue = !1;
function We() {
	Ue = !0;
}
// node_modules/svelte/src/internal/shared/context.js
function Ge(e) {
	let t = e.p;
	for (; t !== null && t.c === null;) t = t.p;
	return t?.c ?? null;
}
function Ke(e, t) {
	return e === null && je(t), e.c ??= new Map(Ge(e) || void 0);
}
// node_modules/svelte/src/internal/client/context.js
var A = null;
function qe(e) {
	A = e;
}
function j(e) {
	return Ke(A, "getContext").get(e);
}
function Je(e, t) {
	return Ke(A, "setContext").set(e, t), t;
}
function M(e, t = !1, n) {
	A = {
		p: A,
		i: !1,
		c: null,
		e: null,
		s: e,
		x: null,
		r: W,
		l: Ue && !t ? {
			s: null,
			u: null,
			$: []
		} : null
	};
}
function N(e) {
	var t = A, n = t.e;
	if (n !== null) {
		t.e = null;
		for (var r of n) bn(r);
	}
	return e !== void 0 && (t.x = e), t.i = !0, A = t.p, Ye(e);
}
function Ye(e = {}) {
	return i(e, oe, { value: !0 }), e;
}
function Xe() {
	return !Ue || A !== null && A.l === null;
}
// node_modules/svelte/src/internal/client/dom/task.js
var Ze = [];
function Qe() {
	var e = Ze;
	Ze = [], p(e);
}
function $e(e) {
	if (Ze.length === 0 && !Tt) {
		var t = Ze;
		queueMicrotask(() => {
			t === Ze && Qe();
		});
	}
	Ze.push(e);
}
function et() {
	for (; Ze.length > 0;) Qe();
}
// node_modules/svelte/src/internal/client/reactivity/status.js
var tt = ~(v | y | _);
function nt(e, t) {
	e.f = e.f & tt | t;
}
function rt(e) {
	e.f & 512 || e.deps === null ? nt(e, _) : nt(e, y);
}
// node_modules/svelte/src/internal/client/reactivity/utils.js
function it(e, t) {
	e.f & 2048 ? t.set(e, v) : e.f & 4096 && t.get(e) !== 2048 && t.set(e, y), nt(e, _);
}
// node_modules/svelte/src/internal/client/dom/elements/misc.js
var at = !1;
function ot() {
	at || (at = !0, document.addEventListener("reset", (e) => {
		Promise.resolve().then(() => {
			if (!e.defaultPrevented) for (let t of e.target.elements) t[pe]?.();
		});
	}, { capture: !0 }));
}
// node_modules/svelte/src/internal/client/dom/elements/bindings/shared.js
function st(e) {
	var t = U, n = W;
	Wn(null), Gn(null);
	try {
		return e();
	} finally {
		Wn(t), Gn(n);
	}
}
// node_modules/svelte/src/internal/client/reactivity/async.js
function ct(e, t, n, r) {
	let i = Xe() ? ft : ht;
	var a = e.filter((e) => !e.settled), o = t.map(i);
	if (n.length === 0 && a.length === 0) {
		r(o);
		return;
	}
	var s = W, c = lt(), l = a.length === 1 ? a[0].promise : a.length > 1 ? Promise.all(a.map((e) => e.promise)) : null;
	function u(e) {
		if (!(s.f & 16384)) {
			c();
			try {
				r([...o, ...e]);
			} catch (e) {
				pn(e, s);
			}
			ut();
		}
	}
	var d = dt();
	if (n.length === 0) {
		l.then(() => u([])).finally(d);
		return;
	}
	function f() {
		Promise.all(n.map((e) => /* @__PURE__ */ mt(e))).then(u).catch((e) => pn(e, s)).finally(d);
	}
	l ? l.then(() => {
		s.f & 16384 ? d() : (c(), f(), ut());
	}) : f();
}
function lt() {
	var e = W, t = U, n = A, r = F;
	return function(i = !0) {
		Gn(e), Wn(t), qe(n), i && !(e.f & 16384) && (r?.activate(), r?.apply());
	};
}
function ut(e = !0) {
	Gn(null), Wn(null), qe(null), e && F?.deactivate();
}
function dt() {
	var e = W, t = e.b, n = F, r = !!t?.is_rendered();
	return t?.update_pending_count(1, n), n.increment(r, e), () => {
		t?.update_pending_count(-1, n), n.decrement(r, e);
	};
}
/*#__NO_SIDE_EFFECTS__*/
function ft(e) {
	var t = 2 | v;
	return W !== null && (W.f |= ee), {
		ctx: A,
		deps: null,
		effects: null,
		equals: Oe,
		f: t,
		fn: e,
		reactions: null,
		rv: 0,
		v: E,
		wv: 0,
		parent: W,
		ac: null
	};
}
var pt = Symbol("obsolete");
/*#__NO_SIDE_EFFECTS__*/
function mt(e, t, n) {
	let r = W;
	r === null && Me();
	var i = void 0, a = Ht(E), o = !U, s = /* @__PURE__ */ new Set();
	return wn(() => {
		var t = W, n = m();
		i = n.promise;
		try {
			Promise.resolve(e()).then(n.resolve, (e) => {
				e !== me && n.reject(e);
			}).finally(ut);
		} catch (e) {
			n.reject(e), ut();
		}
		var c = F;
		if (o) {
			if (t.f & 32768) var l = dt();
			if (r.b?.is_rendered()) c.async_deriveds.get(t)?.reject(pt);
			else for (let e of s.values()) e.reject(pt);
			s.add(n), c.async_deriveds.set(t, n);
		}
		let u = (e, t = void 0) => {
			l?.(), s.delete(n), t !== pt && (c.activate(), t ? (a.f |= ae, Kt(a, t)) : (a.f & 8388608 && (a.f ^= ae), Kt(a, e)), c.deactivate());
		};
		n.promise.then(u, (e) => u(null, e || "unknown"));
	}), vn(() => {
		for (let e of s) e.reject(pt);
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
function P(e) {
	let t = /* @__PURE__ */ ft(e);
	return qn(t), t;
}
/*#__NO_SIDE_EFFECTS__*/
function ht(e) {
	let t = /* @__PURE__ */ ft(e);
	return t.equals = Ae, t;
}
function gt(e) {
	var t = e.effects;
	if (t !== null) {
		e.effects = null;
		for (var n = 0; n < t.length; n += 1) Mn(t[n]);
	}
}
function _t(e) {
	var t, n = W, r = e.parent;
	if (!Vn && r !== null && e.v !== E && r.f & 24576) return ve(), e.v;
	Gn(r);
	try {
		gt(e), t = ar(e);
	} finally {
		Gn(n);
	}
	return t;
}
function vt(e) {
	var t = _t(e);
	!e.equals(t) && (e.wv = nr(), (!F?.is_fork || e.deps === null) && (F === null ? e.v = t : (F.capture(e, t, !0), St?.capture(e, t, !0)), e.deps === null)) ? nt(e, _) : Vn || (Ct === null ? rt(e) : (_n() || F?.is_fork) && Ct.set(e, t));
}
function yt(e) {
	if (e.effects !== null) for (let t of e.effects) (t.teardown || t.ac) && (t.teardown?.(), t.ac !== null && st(() => {
		t.ac.abort(me), t.ac = null;
	}), t.fn !== null && (t.teardown = d), cr(t, 0), An(t));
}
function bt(e) {
	if (e.effects !== null) for (let t of e.effects) t.teardown && t.fn !== null && lr(t);
}
// node_modules/svelte/src/internal/client/reactivity/batch.js
var xt = null, F = null, St = null, Ct = null, wt = null, Tt = !1, Et = !1, Dt = null, Ot = null, kt = 0, At = 1, jt = class e {
	id = At++;
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
		xt === null ? xt = this : (xt.next = this, this.prev = xt), xt = this;
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
			for (var r of n.d) nt(r, v), t(r);
			for (r of n.m) nt(r, y), t(r);
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
		for (let [e, t] of this.#s) nt(e, t), this.schedule(e);
		this.apply();
		for (var t = Dt = [], n = [], r = Ot = []; this.#a.length > 0;) {
			kt++ > 1e3 && (this.#b(), Nt());
			for (let e of this.#p()) try {
				this.#h(e, t, n);
			} catch (t) {
				throw Rt(e), this.#d() || this.discard(), t;
			}
		}
		if (F = null, r.length > 0) {
			var i = e.ensure();
			for (let e of r) i.schedule(e);
		}
		if (Dt = null, Ot = null, this.#d()) {
			this.#y(n), this.#y(t);
			for (let [e, t] of this.#c) Lt(e, t);
			r.length > 0 && F.#m();
			return;
		}
		let a = this.#g();
		if (a) this.#y(n), this.#y(t), a.#v(this);
		else {
			this.#s.clear();
			for (let e of this.#e) e(this);
			this.#e.clear(), St = this, Ft(n), Ft(t), St = null, this.#i?.resolve();
			var o = F;
			this.#n === 0 && (this.#a.length === 0 || o !== null) && this.#b(), o !== null && (Bt.clear(), o.#m());
		}
	}
	#h(e, t, n) {
		e.f ^= _;
		for (var r = e.first; r !== null;) {
			var i = r.f, a = !!(i & 96);
			if (!(a && i & 1024 || i & 8192 || this.#c.has(r)) && r.fn !== null) {
				a ? r.f ^= _ : i & 4 ? t.push(r) : rr(r) && (i & 16 && this.add_dirty_reaction(r, y), lr(r));
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
					r & 4194320 && !this.async_deriveds.has(i) && (this.#s.delete(i), nt(i, v), this.schedule(i));
				}
			}
		};
		for (let e of this.current.keys()) t(e);
		this.oncommit(() => e.discard()), e.#b(), F = this, this.#m();
	}
	#y(e) {
		for (var t = 0; t < e.length; t += 1) it(e[t], this.#s);
	}
	capture(e, t, n = !1) {
		e.v !== E && !this.previous.has(e) && this.previous.set(e, e.v), e.f & 8388608 || (this.current.set(e, [t, n]), Ct?.set(e, t)), this.is_fork || (e.v = t);
	}
	activate() {
		F = this;
	}
	deactivate() {
		F = null, Ct = null;
	}
	flush() {
		try {
			Et = !0, F = this, this.#m();
		} finally {
			kt = 0, wt = null, Dt = null, Ot = null, Et = !1, F = null, Ct = null, Bt.clear();
		}
	}
	discard() {
		for (let e of this.#t) e(this);
		this.#t.clear();
		for (let e of this.async_deriveds.values()) e.reject(pt);
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
		this.#u || (this.#u = !0, $e(() => {
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
		if (F === null) {
			let t = F = new e();
			!Et && !Tt && $e(() => {
				t.started || t.flush();
			});
		}
		return F;
	}
	apply() {
		Ct = null;
	}
	schedule(e) {
		wt = e, e.b?.is_pending && e.f & 16777228 && !(e.f & 32768) ? e.b.defer_effect(e) : this.#a.push(e);
	}
	#b() {
		if (this.linked) {
			var e = this.prev, t = this.next;
			e === null || (e.next = t), t === null ? xt = e : t.prev = e, this.linked = !1;
		}
	}
};
function Mt(e) {
	var t = Tt, n = St;
	St = null, Tt = !0;
	try {
		var r;
		for (e && (Mt(), r = e());;) {
			if (et(), F === null) return r;
			F.flush();
		}
	} finally {
		Tt = t, St = n;
	}
}
function Nt() {
	try {
		Le();
	} catch (e) {
		pn(e, wt);
	}
}
var Pt = null;
function Ft(e) {
	var t = e.length;
	if (t !== 0) {
		for (var n = 0; n < t;) {
			var r = e[n++];
			if (!(r.f & 24576) && rr(r) && (Pt = /* @__PURE__ */ new Set(), lr(r), r.deps === null && r.first === null && r.nodes === null && r.teardown === null && r.ac === null && Pn(r), Pt?.size > 0)) {
				Bt.clear();
				for (let e of Pt) {
					if (e.f & 24576) continue;
					let t = [e], n = e.parent;
					for (; n !== null;) Pt.has(n) && (Pt.delete(n), t.push(n)), n = n.parent;
					for (let e = t.length - 1; e >= 0; e--) {
						let n = t[e];
						n.f & 24576 || lr(n);
					}
				}
				Pt.clear();
			}
		}
		Pt = null;
	}
}
function It(e) {
	F.schedule(e);
}
function Lt(e, t) {
	if (!(e.f & 32 && e.f & 1024)) {
		e.f & 2048 ? t.d.push(e) : e.f & 4096 && t.m.push(e), nt(e, _);
		for (var n = e.first; n !== null;) Lt(n, t), n = n.next;
	}
}
function Rt(e) {
	nt(e, _);
	for (var t = e.first; t !== null;) Rt(t), t = t.next;
}
// node_modules/svelte/src/internal/client/reactivity/sources.js
var zt = /* @__PURE__ */ new Set(), Bt = /* @__PURE__ */ new Map(), Vt = !1;
function Ht(e, t) {
	return {
		f: 0,
		v: e,
		reactions: null,
		equals: Oe,
		rv: 0,
		wv: 0
	};
}
/*#__NO_SIDE_EFFECTS__*/
function I(e, t) {
	let n = Ht(e, t);
	return qn(n), n;
}
/*#__NO_SIDE_EFFECTS__*/
function Ut(e, t = !1, n = !0) {
	let r = Ht(e);
	return t || (r.equals = Ae), Ue && n && A !== null && A.l !== null && (A.l.s ??= []).push(r), r;
}
function L(e, t, n = !1) {
	return U !== null && (!Un || U.f & 131072) && Xe() && U.f & 4325394 && (Kn === null || !Kn.has(e)) && Ve(), Kt(e, n ? Xt(t) : t, Ot);
}
var Wt = null, Gt = 0;
function Kt(e, t, n = null) {
	if (!e.equals(t)) {
		Vn ? Bt.set(e, t) : Bt.has(e) || Bt.set(e, e.v);
		var r = jt.ensure();
		if (r.capture(e, t), e.f & 2) {
			let t = e;
			e.f & 2048 && _t(t), Ct === null && rt(t);
		}
		e.wv = nr(), Wt = null, Gt = 0, Yt(e, v, n), Wt = null, Xe() && W !== null && W.f & 1024 && !(W.f & 96) && (Xn === null ? Zn([e]) : Xn.push(e)), !r.is_fork && zt.size > 0 && !Vt && qt();
	}
	return t;
}
function qt() {
	Vt = !1;
	for (let e of zt) {
		e.f & 1024 && nt(e, y);
		let t;
		try {
			t = rr(e);
		} catch {
			t = !0;
		}
		t && lr(e);
	}
	zt.clear();
}
function Jt(e) {
	L(e, e.v + 1);
}
function Yt(e, t, n) {
	var r = e.reactions;
	if (r !== null) {
		var i = Xe(), a = r.length;
		if (Gt += a, Gt > 1e5 && Wt === null && (Wt = /* @__PURE__ */ new Set()), Wt !== null) {
			if (Wt.has(e)) return;
			Wt.add(e);
		}
		for (var o = 0; o < a; o++) {
			var s = r[o], c = s.f;
			if (i || s !== W) {
				var l = (c & v) === 0;
				if (l && nt(s, t), c & 131072) zt.add(s);
				else if (c & 2) {
					var u = s;
					Ct?.delete(u), Yt(u, y, n);
				} else if (l) {
					var d = s;
					c & 16 && Pt !== null && Pt.add(d), n === null ? It(d) : n.push(d);
				}
			}
		}
	}
}
function Xt(t) {
	if (typeof t != "object" || !t || T in t || oe in t) return t;
	let n = l(t);
	if (n !== s && n !== c) return t;
	var r = /* @__PURE__ */ new Map(), i = e(t), o = /* @__PURE__ */ I(0), u = null, d = er, f = (e) => {
		if (er === d) return e();
		var t = U, n = er;
		Wn(null), tr(d);
		var r = e();
		return Wn(t), tr(n), r;
	};
	return i && r.set("length", /* @__PURE__ */ I(t.length, u)), new Proxy(t, {
		defineProperty(e, t, n) {
			"value" in n && n.configurable !== !1 && n.enumerable !== !1 && n.writable !== !1 || ze();
			var i = r.get(t);
			return i === void 0 ? f(() => {
				var e = /* @__PURE__ */ I(n.value, u);
				return r.set(t, e), e;
			}) : L(i, n.value, !0), !0;
		},
		deleteProperty(e, t) {
			var n = r.get(t);
			if (n === void 0) {
				if (t in e) {
					let e = f(() => /* @__PURE__ */ I(E, u));
					r.set(t, e), Jt(o);
				}
			} else L(n, E), Jt(o);
			return !0;
		},
		get(e, n, i) {
			if (n === T) return t;
			var o = r.get(n), s = n in e;
			if (o === void 0 && (!s || a(e, n)?.writable) && (o = f(() => /* @__PURE__ */ I(Xt(s ? e[n] : E), u)), r.set(n, o)), o !== void 0) {
				var c = G(o);
				return c === E ? void 0 : c;
			}
			return Reflect.get(e, n, i);
		},
		getOwnPropertyDescriptor(e, t) {
			this.has?.(e, t);
			var n = Reflect.getOwnPropertyDescriptor(e, t), i = r.get(t);
			if (i !== void 0) {
				var a = G(i);
				if (a === E) return;
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
			if (t === T) return !0;
			var n = r.get(t), i = n !== void 0 && n.v !== E || Reflect.has(e, t);
			return (n !== void 0 || (W !== null || U !== null) && (!i || a(e, t)?.writable)) && (n === void 0 && (n = f(() => /* @__PURE__ */ I(i ? Xt(e[t]) : E, u)), r.set(t, n)), G(n) === E) ? !1 : i;
		},
		set(e, t, n, s) {
			var c = r.get(t), l = t in e;
			if (i && t === "length") for (var d = n; d < c.v; d += 1) {
				var p = r.get(d + "");
				p === void 0 ? d in e && (p = f(() => /* @__PURE__ */ I(E, u)), r.set(d + "", p)) : L(p, E);
			}
			if (c === void 0) (!l || a(e, t)?.writable) && (c = f(() => /* @__PURE__ */ I(void 0, u)), L(c, Xt(n)), r.set(t, c));
			else {
				l = c.v !== E;
				var m = f(() => Xt(n));
				L(c, m);
			}
			var h = Reflect.getOwnPropertyDescriptor(e, t);
			if (h?.set && h.set.call(s, n), !l) {
				if (i && typeof t == "string") {
					var g = r.get("length"), _ = Number(t);
					Number.isInteger(_) && _ >= g.v && L(g, _ + 1);
				}
				Jt(o);
			}
			return !0;
		},
		ownKeys(e) {
			G(o);
			var t = Reflect.ownKeys(e).filter((e) => {
				var t = r.get(e);
				return t === void 0 || t.v !== E;
			});
			for (var [n, i] of r) i.v !== E && !(n in e) && t.push(n);
			return t;
		},
		setPrototypeOf() {
			Be();
		}
	});
}
function Zt(e) {
	try {
		if (typeof e == "object" && e && T in e) return e[T];
	} catch {}
	return e;
}
function Qt(e, t) {
	return Object.is(Zt(e), Zt(t));
}
var $t, en, tn, nn;
function rn() {
	if ($t === void 0) {
		$t = window, en = /Firefox/.test(navigator.userAgent);
		var e = Element.prototype, t = Node.prototype, n = Text.prototype;
		tn = a(t, "firstChild").get, nn = a(t, "nextSibling").get, u(e) && (e[ue] = void 0, e[le] = null, e[de] = void 0, e.__e = void 0), u(n) && (n[fe] = void 0);
	}
}
function an(e = "") {
	return document.createTextNode(e);
}
/*@__NO_SIDE_EFFECTS__*/
function on(e) {
	return tn.call(e);
}
/*@__NO_SIDE_EFFECTS__*/
function sn(e) {
	return nn.call(e);
}
function R(e, t) {
	if (!D) return /* @__PURE__ */ on(e);
	var n = /* @__PURE__ */ on(O);
	if (n === null) n = O.appendChild(an());
	else if (t && n.nodeType !== 3) {
		var r = an();
		return n?.before(r), Ce(r), r;
	}
	return t && dn(n), Ce(n), n;
}
function z(e, t = !1) {
	if (!D) {
		var n = /* @__PURE__ */ on(e);
		return n instanceof Comment && n.data === "" ? /* @__PURE__ */ sn(n) : n;
	}
	if (t) {
		if (O?.nodeType !== 3) {
			var r = an();
			return O?.before(r), Ce(r), r;
		}
		dn(O);
	}
	return O;
}
function B(e, t = !1) {
	if (!D) return /* @__PURE__ */ on(e);
	var n = R(e, t);
	return k(e), n;
}
function V(e, t = 1, n = !1) {
	let r = D ? O : e;
	for (var i; t--;) i = r, r = /* @__PURE__ */ sn(r);
	if (!D) return r;
	if (n) {
		if (r?.nodeType !== 3) {
			var a = an();
			return r === null ? i?.after(a) : r.before(a), Ce(a), a;
		}
		dn(r);
	}
	return Ce(r), r;
}
function cn(e) {
	e.textContent = "";
}
function ln() {
	return !1;
}
function un(e, t, n) {
	return t == null || t === "http://www.w3.org/1999/xhtml" ? n ? document.createElement(e, { is: n }) : document.createElement(e) : n ? document.createElementNS(t, e, { is: n }) : document.createElementNS(t, e);
}
function dn(e) {
	if (e.nodeValue.length < 65536) return;
	let t = e.nextSibling;
	for (; t !== null && t.nodeType === 3;) t.remove(), e.nodeValue += t.nodeValue, t = e.nextSibling;
}
function fn(e) {
	var t = W;
	if (t === null) return U.f |= ae, e;
	if (!(t.f & 32768) && !(t.f & 4)) throw e;
	pn(e, t);
}
function pn(e, t) {
	if (e === ge) throw e;
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
function mn(e) {
	W === null && (U === null && Ie(e), Fe()), Vn && Pe(e);
}
function hn(e, t) {
	var n = t.last;
	n === null ? t.last = t.first = e : (n.next = e, e.prev = n, t.last = e);
}
function gn(e, t) {
	var n = W;
	n !== null && n.f & 8192 && (e |= b);
	var r = {
		ctx: A,
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
	F?.register_created_effect(r);
	var i = r;
	if (e & 4) Dt === null ? jt.ensure().schedule(r) : Dt.push(r);
	else if (t !== null) {
		try {
			lr(r);
		} catch (e) {
			throw Mn(r), e;
		}
		i.deps === null && i.teardown === null && i.nodes === null && i.first === i.last && !(i.f & 524288) && (i = i.first, e & 16 && e & 65536 && i !== null && (i.f |= w));
	}
	if (i !== null && (i.parent = n, n !== null && hn(i, n), U !== null && U.f & 2 && !(e & 64))) {
		var a = U;
		(a.effects ??= []).push(i);
	}
	return r;
}
function _n() {
	return U !== null && !Un;
}
function vn(e) {
	let t = gn(8, null);
	return nt(t, _), t.teardown = e, t;
}
function yn(e) {
	mn("$effect");
	var t = W.f;
	if (!U && t & 32 && A !== null && !A.i) {
		var n = A;
		(n.e ??= []).push(e);
	} else return bn(e);
}
function bn(e) {
	return gn(4 | te, e);
}
function xn(e) {
	return mn("$effect.pre"), gn(8 | te, e);
}
function Sn(e) {
	jt.ensure();
	let t = gn(64 | ee, e);
	return (e = {}) => new Promise((n) => {
		e.outro ? Fn(t, () => {
			Mn(t), n(void 0);
		}) : (Mn(t), n(void 0));
	});
}
function Cn(e) {
	return gn(4, e);
}
function wn(e) {
	return gn(ie | ee, e);
}
function Tn(e, t = 0) {
	return gn(8 | t, e);
}
function H(e, t = [], n = [], r = []) {
	ct(r, t, n, (t) => {
		gn(8, () => {
			e(...t.map(G));
		});
	});
}
function En(e, t = 0) {
	return gn(16 | t, e);
}
function Dn(e, t = 0) {
	return gn(g | t, e);
}
function On(e) {
	return gn(32 | ee, e);
}
function kn(e) {
	var t = e.teardown;
	if (t !== null) {
		let n = Vn, r = U;
		Hn(!0), Wn(null);
		try {
			t.call(null);
		} catch (t) {
			pn(t, e.parent);
		} finally {
			Hn(n), Wn(r);
		}
	}
}
function An(e, t = !1) {
	var n = e.first;
	for (e.first = e.last = null; n !== null;) {
		let e = n.ac;
		e !== null && st(() => {
			e.abort(me);
		});
		var r = n.next;
		n.f & 64 ? n.parent = null : Mn(n, t), n = r;
	}
}
function jn(e) {
	for (var t = e.first; t !== null;) {
		var n = t.next;
		t.f & 32 || Mn(t), t = n;
	}
}
function Mn(e, t = !0) {
	var n = !1;
	(t || e.f & 262144) && e.nodes !== null && e.nodes.end !== null && (Nn(e.nodes.start, e.nodes.end), n = !0), e.f |= C, An(e, t && !n), cr(e, 0);
	var r = e.nodes && e.nodes.t;
	if (r !== null) for (let e of r) e.stop();
	kn(e), e.f ^= C, e.f |= x;
	var i = e.parent;
	i !== null && i.first !== null && Pn(e), e.next = e.prev = e.teardown = e.ctx = e.deps = e.fn = e.nodes = e.ac = e.b = null;
}
function Nn(e, t) {
	for (; e !== null;) {
		var n = e === t ? null : /* @__PURE__ */ sn(e);
		e.remove(), e = n;
	}
}
function Pn(e) {
	var t = e.parent, n = e.prev, r = e.next;
	n !== null && (n.next = r), r !== null && (r.prev = n), t !== null && (t.first === e && (t.first = r), t.last === e && (t.last = n));
}
function Fn(e, t, n = !0) {
	var r = [];
	e.f |= 256, In(e, r, !0);
	var i = () => {
		n && Mn(e), t && t();
	}, a = r.length;
	if (a > 0) {
		var o = () => --a || i();
		for (var s of r) s.out(o);
	} else i();
}
function In(e, t, n) {
	if (!(e.f & 8192)) {
		e.f ^= b;
		var r = e.nodes && e.nodes.t;
		if (r !== null) for (let e of r) (e.is_global || n) && t.push(e);
		for (var i = e.first; i !== null;) {
			var a = i.next;
			if (!(i.f & 64)) {
				var o = !!(i.f & 65536) || !!(i.f & 32) && !!(e.f & 16);
				In(i, t, o ? n : !1);
			}
			i = a;
		}
	}
}
function Ln(e) {
	e.f &= -257, Rn(e, !0);
}
function Rn(e, t) {
	if (!(e.f & 256) && e.f & 8192) {
		e.f ^= b, e.f & 1024 || (nt(e, v), jt.ensure().schedule(e));
		for (var n = e.first; n !== null;) {
			var r = n.next, i = !!(n.f & 65536) || !!(n.f & 32);
			Rn(n, i ? t : !1), n = r;
		}
		var a = e.nodes && e.nodes.t;
		if (a !== null) for (let e of a) (e.is_global || t) && e.in();
	}
}
function zn(e, t) {
	if (e.nodes) for (var n = e.nodes.start, r = e.nodes.end; n !== null;) {
		var i = n === r ? null : /* @__PURE__ */ sn(n);
		t.append(n), n = i;
	}
}
// node_modules/svelte/src/internal/client/legacy.js
var Bn = null, Vn = !1;
function Hn(e) {
	Vn = e;
}
var U = null, Un = !1;
function Wn(e) {
	U = e;
}
var W = null;
function Gn(e) {
	W = e;
}
var Kn = null;
function qn(e) {
	U !== null && (U.f & 2097152 || U.f & 2) && (Kn ??= /* @__PURE__ */ new Set()).add(e);
}
var Jn = null, Yn = 0, Xn = null;
function Zn(e) {
	Xn = e;
}
var Qn = 1, $n = 0, er = $n;
function tr(e) {
	er = e;
}
function nr() {
	return ++Qn;
}
function rr(e) {
	var t = e.f;
	if (t & 2048) return !0;
	if (t & 4096) {
		for (var n = e.deps, r = n.length, i = 0; i < r; i++) {
			var a = n[i];
			if (rr(a) && vt(a), a.wv > e.wv) return !0;
		}
		t & 512 && Ct === null && nt(e, _);
	}
	return !1;
}
function ir(e, t, n = !0) {
	var r = e.reactions;
	if (r !== null && !(Kn !== null && Kn.has(e))) for (var i = 0; i < r.length; i++) {
		var a = r[i];
		a.f & 2 ? ir(a, t, !1) : t === a && (n ? nt(a, v) : a.f & 1024 && nt(a, y), It(a));
	}
}
function ar(e) {
	var t = Jn, n = Yn, r = Xn, i = U, a = Kn, o = A, s = Un, c = er, l = e.f;
	Jn = null, Yn = 0, Xn = null, U = l & 96 ? null : e, Kn = null, qe(e.ctx), Un = !1, er = ++$n, e.ac !== null && (st(() => {
		e.ac.abort(me);
	}), e.ac = null);
	try {
		e.f |= re;
		var u = e.fn, d = u();
		e.f |= S;
		var f = or(e);
		if (Xe() && Xn !== null && !Un && f !== null && !(e.f & 6146)) for (var p = 0; p < Xn.length; p++) ir(Xn[p], e);
		if (i !== null && i !== e) {
			if ($n++, i.deps !== null) for (let e = 0; e < n; e += 1) i.deps[e].rv = $n;
			if (t !== null) for (let e of t) e.rv = $n;
			Xn !== null && (r === null ? r = Xn : r.push(...Xn));
		}
		return e.f & 8388608 && (e.f ^= ae), d;
	} catch (t) {
		return or(e), fn(t);
	} finally {
		e.f ^= re, Jn = t, Yn = n, Xn = r, U = i, Kn = a, qe(o), Un = s, er = c;
	}
}
function or(e) {
	var t = e.deps, n = F?.is_fork;
	if (Jn !== null) {
		var r;
		if (n || cr(e, Yn), t !== null && Yn > 0) for (t.length = Yn + Jn.length, r = 0; r < Jn.length; r++) t[Yn + r] = Jn[r];
		else e.deps = t = Jn;
		if (_n() && e.f & 512) for (r = Yn; r < t.length; r++) (t[r].reactions ??= []).push(e);
	} else !n && t !== null && Yn < t.length && (cr(e, Yn), t.length = Yn);
	return t;
}
function sr(e, r) {
	let i = r.reactions;
	if (i !== null) {
		var a = t.call(i, e);
		if (a !== -1) {
			var o = i.length - 1;
			o === 0 ? i = r.reactions = null : (i[a] = i[o], i.pop());
		}
	}
	if (i === null && r.f & 2 && (Jn === null || !n.call(Jn, r))) {
		var s = r;
		s.f & 512 && (s.f ^= 512), s.v !== E && rt(s), s.ac !== null && st(() => {
			s.ac.abort(me), s.ac = null, nt(s, v);
		}), yt(s), cr(s, 0);
	}
}
function cr(e, t) {
	var n = e.deps;
	if (n !== null) for (var r = t; r < n.length; r++) sr(e, n[r]);
}
function lr(e) {
	var t = e.f;
	if (!(t & 16384)) {
		nt(e, _);
		var n = W;
		W = e;
		try {
			t & 16777232 ? jn(e) : An(e), kn(e);
			var r = ar(e);
			e.teardown = typeof r == "function" ? r : null, e.wv = Qn;
		} finally {
			W = n;
		}
	}
}
async function ur() {
	await Promise.resolve(), Mt();
}
function G(e) {
	var t = !!(e.f & 2);
	if (Bn?.add(e), U !== null && !Un && !(W !== null && W.f & 16384) && (Kn === null || !Kn.has(e))) {
		var r = U.deps;
		if (U.f & 2097152) e.rv < $n && (e.rv = $n, Jn === null && r !== null && r[Yn] === e ? Yn++ : Jn === null ? Jn = [e] : Jn.push(e));
		else {
			U.deps ??= [], n.call(U.deps, e) || U.deps.push(e);
			var i = e.reactions;
			i === null ? e.reactions = [U] : n.call(i, U) || i.push(U);
		}
	}
	if (Vn && Bt.has(e)) return Bt.get(e);
	if (t) {
		var a = e;
		if (Vn) {
			var o = a.v;
			return (!(a.f & 1024) && a.reactions !== null || fr(a)) && (o = _t(a)), Bt.set(a, o), o;
		}
		var s = !(a.f & 512) && !Un && U !== null && !!(U.f & 512), c = (a.f & S) === 0;
		rr(a) && (s && (a.f |= 512), vt(a)), s && !c && (bt(a), dr(a));
	}
	if (Ct?.has(e)) return Ct.get(e);
	if (e.f & 8388608) throw e.v;
	return e.v;
}
function dr(e) {
	if (e.f |= 512, e.deps !== null) for (let r of e.deps) {
		var t = r.reactions;
		t === null ? r.reactions = [e] : n.call(t, e) || t.push(e), r.f & 2 && !(r.f & 512) && (bt(r), dr(r));
	}
}
function fr(e) {
	if (e.v === E) return !0;
	if (e.deps === null) return !1;
	for (let t of e.deps) if (Bt.has(t) || t.f & 2 && fr(t)) return !0;
	return !1;
}
function pr(e) {
	var t = Un;
	try {
		return Un = !0, e();
	} finally {
		Un = t;
	}
}
function mr(e) {
	if (!(typeof e != "object" || !e || e instanceof EventTarget)) {
		if (T in e) hr(e);
		else if (!Array.isArray(e)) for (let t in e) {
			let n = e[t];
			typeof n == "object" && n && T in n && hr(n);
		}
	}
}
function hr(e, t = /* @__PURE__ */ new Set()) {
	if (typeof e == "object" && e && !(e instanceof EventTarget) && !t.has(e)) {
		t.add(e), e instanceof Date && e.getTime();
		for (let n in e) try {
			hr(e[n], t);
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
var gr = ["touchstart", "touchmove"];
function _r(e) {
	return gr.includes(e);
}
// node_modules/svelte/src/internal/client/dom/elements/events.js
var vr = Symbol("events"), yr = /* @__PURE__ */ new Set(), br = /* @__PURE__ */ new Set();
function xr(e, t, n, r = {}) {
	function i(e) {
		if (r.capture || Er.call(t, e), !e.cancelBubble) return st(() => n?.call(this, e));
	}
	return e.startsWith("pointer") || e.startsWith("touch") || e === "wheel" ? (i.__removed = !1, $e(() => {
		i.__removed || t.addEventListener(e, i, r);
	})) : t.addEventListener(e, i, r), i;
}
function Sr(e, t, n, r, i) {
	var a = {
		capture: r,
		passive: i
	}, o = xr(e, t, n, a);
	(t === document.body || t === window || t === document || t instanceof HTMLMediaElement) && vn(() => {
		o.__removed = !0, t.removeEventListener(e, o, a);
	});
}
function K(e, t, n) {
	(t[vr] ??= {})[e] = n;
}
function Cr(e) {
	for (var t = 0; t < e.length; t++) yr.add(e[t]);
	for (var n of br) n(e);
}
var wr = null, Tr = !1;
function Er(e) {
	var t = this, n = t.ownerDocument, r = e.type, a = e.composedPath?.() || [], o = a[0] || e.target;
	wr = e, Tr || (Tr = !0, setTimeout(() => {
		Tr = !1, wr = null;
	}));
	var s = 0, c = wr === e && e[vr];
	if (c) {
		var l = a.indexOf(c);
		if (l !== -1 && (t === document || t === window)) {
			e[vr] = t;
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
		var d = U, f = W;
		Wn(null), Gn(null);
		try {
			for (var p, m = []; o !== null && o !== t;) {
				try {
					var h = o[vr]?.[r];
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
			e[vr] = t, delete e.currentTarget, Wn(d), Gn(f);
		}
	}
}
// node_modules/svelte/src/internal/client/dom/reconciler.js
var Dr = globalThis?.window?.trustedTypes && /* @__PURE__ */ globalThis.window.trustedTypes.createPolicy("svelte-trusted-html", { createHTML: (e) => e });
function Or(e) {
	return Dr?.createHTML(e) ?? e;
}
function kr(e) {
	var t = un("template");
	return t.innerHTML = Or(e.replaceAll("<!>", "<!---->")), t.content;
}
// node_modules/svelte/src/internal/client/dom/template.js
function Ar(e, t) {
	var n = W;
	n.nodes === null && (n.nodes = {
		start: e,
		end: t,
		a: null,
		t: null
	});
}
/*#__NO_SIDE_EFFECTS__*/
function q(e, t) {
	var n = !!(t & 1), r = !!(t & 2), i, a = !e.startsWith("<!>");
	return () => {
		if (D) return Ar(O, null), O;
		i === void 0 && (i = kr(a ? e : "<!>" + e), n || (i = /* @__PURE__ */ on(i)));
		var t = r || en ? document.importNode(i, !0) : i.cloneNode(!0);
		if (n) {
			var o = /* @__PURE__ */ on(t), s = t.lastChild;
			Ar(o, s);
		} else Ar(t, t);
		return t;
	};
}
/*#__NO_SIDE_EFFECTS__*/
function jr(e, t, n = "svg") {
	var r = !e.startsWith("<!>"), i = !!(t & 1), a = `<${n}>${r ? e : "<!>" + e}</${n}>`, o;
	return () => {
		if (D) return Ar(O, null), O;
		if (!o) {
			var e = /* @__PURE__ */ on(kr(a));
			if (i) for (o = document.createDocumentFragment(); /* @__PURE__ */ on(e);) o.appendChild(/* @__PURE__ */ on(e));
			else o = /* @__PURE__ */ on(e);
		}
		var t = o.cloneNode(!0);
		if (i) {
			var n = /* @__PURE__ */ on(t), r = t.lastChild;
			Ar(n, r);
		} else Ar(t, t);
		return t;
	};
}
/*#__NO_SIDE_EFFECTS__*/
function J(e, t) {
	return /* @__PURE__ */ jr(e, t, "svg");
}
function Mr(e = "") {
	if (!D) {
		var t = an(e + "");
		return Ar(t, t), t;
	}
	var n = O;
	return n.nodeType === 3 ? dn(n) : (n.before(n = an()), Ce(n)), Ar(n, n), n;
}
function Nr() {
	if (D) return Ar(O, null), O;
	var e = document.createDocumentFragment(), t = document.createComment(""), n = an();
	return e.append(t, n), Ar(t, n), e;
}
function Y(e, t) {
	if (D) {
		var n = W;
		n.f & 32768 && n.nodes.end !== null || (n.nodes.end = O), we();
	} else e !== null && e.before(t);
}
// node_modules/svelte/src/reactivity/create-subscriber.js
function Pr(e) {
	let t = 0, n = Ht(0), r;
	return () => {
		_n() && (G(n), Tn(() => (t === 0 && (r = pr(() => e(() => Jt(n)))), t += 1, () => {
			$e(() => {
				--t, t === 0 && (r?.(), r = void 0, Jt(n));
			});
		})));
	};
}
// node_modules/svelte/src/internal/client/dom/blocks/boundary.js
var Fr = w | ee;
function Ir(e, t, n, r) {
	new Lr(e, t, n, r);
}
var Lr = class {
	parent;
	is_pending = !1;
	transform_error;
	#e;
	#t = D ? O : null;
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
	#m = Pr(() => (this.#p = Ht(this.#l), () => {
		this.#p = null;
	}));
	constructor(e, t, n, r) {
		this.#e = e, this.#n = t, this.#r = (e) => {
			var t = W;
			t.b = this, t.f |= 128, n(e);
		}, this.parent = W.b, this.transform_error = r ?? this.parent?.transform_error ?? ((e) => e), this.#i = En(() => {
			if (D) {
				let e = De(this.#t);
				we();
				let t = e === "[!";
				if (e.startsWith("[?")) {
					let t = JSON.parse(e.slice(2));
					this.#g(t);
				} else t ? this.#y() : this.#h();
			} else this.#b();
		}, Fr), D && (this.#e = O);
	}
	#h() {
		try {
			this.#a = On(() => this.#r(this.#e));
		} catch (e) {
			this.error(e);
		}
	}
	#g(e) {
		let t = this.#n.failed, { reset: n, invoke_onerror: r } = this.#_(e);
		$e(r), t && (this.#s = On(() => {
			t(this.#e, () => e, () => n);
		}));
	}
	#_(e) {
		var t = !1, n = !1;
		let r = () => {
			this.#v() || (t ? xe() : (t = !0, n && He(), this.#s !== null && Fn(this.#s, () => {
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
					pn(e, this.#i && this.#i.parent);
				}
			}
		};
	}
	#v() {
		return (this.#i.f & (x | C)) !== 0;
	}
	#y() {
		let e = this.#n.pending;
		e && (this.is_pending = !0, this.#o = On(() => e(this.#e)), $e(() => {
			if (!this.#v()) {
				var e = this.#c = document.createDocumentFragment(), t = an(), n = !1;
				e.append(t), this.#a = this.#S(() => {
					try {
						return On(() => this.#r(t));
					} catch (e) {
						try {
							this.error(e), n = !0;
						} catch (e) {
							pn(e, this.#i.parent);
						}
						return null;
					}
				}), this.#a === null ? (this.#c = null, n && this.#x(F)) : this.#u === 0 && (this.#e.before(e), this.#c = null, Fn(this.#o, () => {
					this.#o = null;
				}), this.#x(F));
			}
		}));
	}
	#b() {
		try {
			if (this.is_pending = this.has_pending_snippet(), this.#u = 0, this.#l = 0, this.#a = On(() => {
				this.#r(this.#e);
			}), this.#u > 0) {
				var e = this.#c = document.createDocumentFragment();
				zn(this.#a, e);
				let t = this.#n.pending;
				this.#o = On(() => t(this.#e));
			} else this.#x(F);
		} catch (e) {
			this.error(e);
		}
	}
	#x(e) {
		this.is_pending = !1, e.transfer_reactions(this.#f);
	}
	defer_effect(e) {
		it(e, this.#f);
	}
	is_rendered() {
		return !this.is_pending && (!this.parent || this.parent.is_rendered());
	}
	has_pending_snippet() {
		return !!this.#n.pending;
	}
	#S(e) {
		var t = W, n = U, r = A;
		Gn(this.#i), Wn(this.#i), qe(this.#i.ctx);
		try {
			return jt.ensure(), e();
		} finally {
			Gn(t), Wn(n), qe(r);
		}
	}
	#C(e, t) {
		this.has_pending_snippet() ? (this.#u += e, this.#u === 0 && (this.#x(t), this.#o && Fn(this.#o, () => {
			this.#o = null;
		}), this.#c &&= (this.#e.before(this.#c), null))) : this.parent && this.parent.#C(e, t);
	}
	update_pending_count(e, t) {
		this.#C(e, t), this.#l += e, !this.#p || this.#d || (this.#d = !0, $e(() => {
			this.#d = !1, this.#p && Kt(this.#p, this.#l);
		}));
	}
	get_effect_pending() {
		return this.#m(), G(this.#p);
	}
	error(e) {
		if (e === ge || !this.#n.onerror && !this.#n.failed) throw e;
		F?.is_fork ? (this.#a && F.skip_effect(this.#a), this.#o && F.skip_effect(this.#o), this.#s && F.skip_effect(this.#s), F.oncommit(() => {
			this.#v() || this.#w(e);
		})) : this.#w(e);
	}
	#w(e) {
		this.#a &&= (Mn(this.#a), null), this.#o &&= (Mn(this.#o), null), this.#s &&= (Mn(this.#s), null), D && (Ce(this.#t), Te(), Ce(Ee()));
		let t = this.#n.failed, n = (e) => {
			if (this.#v()) return;
			let { reset: n, invoke_onerror: r } = this.#_(e);
			r(), t && !this.#v() && (this.#s = this.#S(() => {
				try {
					return On(() => {
						var r = W;
						r.b = this, r.f |= 128, t(this.#e, () => e, () => n);
					});
				} catch (e) {
					return pn(e, this.#i.parent), null;
				}
			}));
		};
		$e(() => {
			if (!this.#v()) {
				var t;
				try {
					t = this.transform_error(e);
				} catch (e) {
					pn(e, this.#i && this.#i.parent);
					return;
				}
				typeof t == "object" && t && typeof t.then == "function" ? t.then(n, (e) => pn(e, this.#i && this.#i.parent)) : n(t);
			}
		});
	}
};
function X(e, t) {
	var n = t == null ? "" : typeof t == "object" ? `${t}` : t;
	n !== (e[fe] ??= e.nodeValue) && (e[fe] = n, e.nodeValue = `${n}`);
}
function Rr(e, t) {
	return Br(e, t);
}
var zr = /* @__PURE__ */ new Map();
function Br(e, { target: t, anchor: n, props: i = {}, events: a, context: o, intro: s = !0, transformError: c }) {
	rn();
	var l = void 0, u = Sn(() => {
		var s = n ?? t.appendChild(an());
		Ir(s, { pending: () => {} }, (t) => {
			M({});
			var n = A;
			if (o && (n.c = o), a && (i.$$events = a), D && Ar(t, null), l = e(t, i) || Ye(), D && (W.nodes.end = O, O === null || O.nodeType !== 8 || O.data !== "]")) throw ye(), ge;
			N();
		}, c);
		var u = /* @__PURE__ */ new Set(), d = (e) => {
			for (var n = 0; n < e.length; n++) {
				var r = e[n];
				if (!u.has(r)) {
					u.add(r);
					var i = _r(r);
					for (let e of [t, document]) {
						var a = zr.get(e);
						a === void 0 && (a = /* @__PURE__ */ new Map(), zr.set(e, a));
						var o = a.get(r);
						o === void 0 ? (e.addEventListener(r, Er, { passive: i }), a.set(r, 1)) : a.set(r, o + 1);
					}
				}
			}
		};
		return d(r(yr)), br.add(d), () => {
			for (var e of u) for (let n of [t, document]) {
				var r = zr.get(n), i = r.get(e);
				--i == 0 ? (n.removeEventListener(e, Er), r.delete(e), r.size === 0 && zr.delete(n)) : r.set(e, i);
			}
			br.delete(d), s !== n && s.parentNode?.removeChild(s);
		};
	});
	return Vr.set(l, u), l;
}
var Vr = /* @__PURE__ */ new WeakMap(), Hr = class {
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
			if (n) Ln(n), this.#r.delete(t);
			else {
				var r = this.#n.get(t);
				r && (Ln(r.effect), this.#t.set(t, r.effect), this.#n.delete(t), r.fragment.lastChild.remove(), this.anchor.before(r.fragment), n = r.effect);
			}
			for (let [t, n] of this.#e) {
				if (this.#e.delete(t), t === e) break;
				let r = this.#n.get(n);
				r && (Mn(r.effect), this.#n.delete(n));
			}
			for (let [e, r] of this.#t) {
				if (e === t || this.#r.has(e)) continue;
				let i = () => {
					if (Array.from(this.#e.values()).includes(e)) {
						var t = document.createDocumentFragment();
						zn(r, t), t.append(an()), this.#n.set(e, {
							effect: r,
							fragment: t
						});
					} else Mn(r);
					this.#r.delete(e), this.#t.delete(e);
				};
				this.#i || !n ? (this.#r.add(e), Fn(r, i, !1)) : i();
			}
		}
	};
	#o = (e) => {
		this.#e.delete(e);
		let t = Array.from(this.#e.values());
		for (let [e, n] of this.#n) t.includes(e) || (Mn(n.effect), this.#n.delete(e));
	};
	ensure(e, t) {
		var n = F, r = ln();
		if (t && !this.#t.has(e) && !this.#n.has(e)) {
			if (r) {
				var i = document.createDocumentFragment(), a = an();
				i.append(a), this.#n.set(e, {
					effect: On(() => t(a)),
					fragment: i
				});
			} else this.#t.set(e, On(() => t(this.anchor)));
		}
		if (this.#e.set(n, e), r) {
			for (let [t, r] of this.#t) t === e ? n.unskip_effect(r) : n.skip_effect(r);
			for (let [t, r] of this.#n) t === e ? n.unskip_effect(r.effect) : n.skip_effect(r.effect);
			n.oncommit(this.#a), n.ondiscard(this.#o);
		} else D && (this.anchor = O), this.#a(n);
	}
};
// node_modules/svelte/src/internal/client/dom/blocks/if.js
function Z(e, t, n = !1) {
	var r;
	D && (r = O, we());
	var i = new Hr(e), a = n ? w : 0;
	function o(e, t) {
		if (D) {
			var n = De(r);
			if (e !== parseInt(n.substring(1))) {
				var a = Ee();
				Ce(a), i.anchor = a, Se(!1), i.ensure(e, t), Se(!0);
				return;
			}
		}
		i.ensure(e, t);
	}
	En(() => {
		var e = !1;
		t((t, n = 0) => {
			e = !0, o(n, t);
		}), e || o(-1, null);
	}, a);
}
// node_modules/svelte/src/internal/client/dom/blocks/key.js
var Ur = Symbol("NaN");
function Wr(e, t, n) {
	D && we();
	var r = new Hr(e), i = !Xe();
	En(() => {
		var e = t();
		e !== e && (e = Ur), i && typeof e == "object" && e && (e = {}), r.ensure(e, n);
	});
}
// node_modules/svelte/src/internal/client/dom/blocks/each.js
function Gr(e, t) {
	return t;
}
function Kr(e, t, n) {
	for (var i = [], a = t.length, o, s = t.length, c = 0; c < a; c++) {
		let n = t[c];
		Fn(n, () => {
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
			cn(d), d.append(u), e.items.clear();
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
		r?.has(a) ? (a.f |= ne, zn(a, document.createDocumentFragment())) : Mn(t[i], n);
	}
}
var Jr;
function Q(t, n, i, a, o, s = null) {
	var c = t, l = /* @__PURE__ */ new Map();
	if (n & 4) {
		var u = t;
		c = D ? Ce(/* @__PURE__ */ on(u)) : u.appendChild(an());
	}
	D && we();
	var d = null, f = /* @__PURE__ */ ht(() => {
		var t = i();
		return e(t) ? t : t == null ? [] : r(t);
	}), p = /* @__PURE__ */ new Map(), m = !0;
	function h(e) {
		if (!(_.effect.f & 16384)) {
			_.pending.delete(e);
			var t = G(f);
			_.fallback = d, Xr(_, t, c, n, a), d !== null && (t.length === 0 ? d.f & 33554432 ? (d.f ^= ne, Qr(d, null, c)) : Ln(d) : Fn(d, () => {
				d = null;
			}));
		}
	}
	function g(e) {
		_.pending.delete(e);
	}
	var _ = {
		effect: En(() => {
			var e = G(f), t = e.length;
			let r = !1;
			D && De(c) === "[!" != (t === 0) && (c = Ee(), Ce(c), Se(!1), r = !0);
			for (var u = /* @__PURE__ */ new Set(), _ = F, v = ln(), y = 0; y < t; y += 1) {
				D && O.nodeType === 8 && O.data === "]" && (c = O, r = !0, Se(!1));
				var b = e[y], x = a(b, y), S = m ? null : l.get(x);
				S ? (S.v && Kt(S.v, b), S.i && Kt(S.i, y), v && _.unskip_effect(S.e)) : (S = Zr(l, m ? c : Jr ??= an(), b, x, y, o, n, i), m || (S.e.f |= ne), l.set(x, S)), u.add(x);
			}
			if (t === 0 && s && !d && (m ? d = On(() => s(c)) : (d = On(() => s(Jr ??= an())), d.f |= ne)), t > u.size && Ne("", "", ""), D && t > 0 && Ce(Ee()), !m) {
				if (p.set(_, u), v) {
					for (let [e, t] of l) u.has(e) || _.skip_effect(t.e);
					_.oncommit(h), _.ondiscard(g);
				} else h(_);
			}
			r && Se(!0), G(f);
		}),
		flags: n,
		items: l,
		pending: p,
		outrogroups: null,
		fallback: d
	};
	m = !1, D && (c = O);
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
		if (_.f & 8192 && (Ln(_), o && (_.nodes?.a?.unfix(), (f ??= /* @__PURE__ */ new Set()).delete(_))), _.f & 33554432) {
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
	o && $e(() => {
		if (f !== void 0) for (_ of f) _.nodes?.a?.apply();
	});
}
function Zr(e, t, n, r, i, a, o, s) {
	var c = o & 1 ? o & 16 ? Ht(n) : /* @__PURE__ */ Ut(n, !1, !1) : null, l = o & 2 ? Ht(i) : null;
	return {
		v: c,
		i: l,
		e: On(() => (a(t, c ?? n, l ?? i, s), () => {
			e.delete(r);
		}))
	};
}
function Qr(e, t, n) {
	if (e.nodes) for (var r = e.nodes.start, i = e.nodes.end, a = t && !(t.f & 33554432) ? t.nodes.start : n; r !== null;) {
		var o = /* @__PURE__ */ sn(r);
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
	Dn(() => {
		n !== (n = t()) && (r &&= (Mn(r), null), n && (r = On(() => {
			Cn(() => n(e));
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
	var o = e[ue];
	if (D || o !== n || o === void 0) {
		var s = ai(n, r, a);
		D && s === e.getAttribute("class") || (s == null ? e.removeAttribute("class") : t ? e.className = s : e.setAttribute("class", s)), e[ue] = n;
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
	var i = e[de];
	if (D || i !== t) {
		var a = ci(t, r);
		D && a === e.getAttribute("style") || (a == null ? e.removeAttribute("style") : e.style.cssText = a), e[de] = t;
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
			fi(c, i ? a.includes(l) : Qt(l, r));
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
		if (!e(n)) return be();
		for (var i of t.options) i.selected = n.includes(gi(i));
	} else {
		for (i of t.options) if (Qt(gi(i), n)) {
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
	}), vn(() => {
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
var vi = Symbol("is custom element"), yi = Symbol("is html"), bi = he ? "link" : "LINK", xi = he ? "progress" : "PROGRESS";
function Si(e) {
	if (D) {
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
		e[pe] = n, $e(n), ot();
	}
}
function Ci(e, t) {
	var n = wi(e);
	n.value !== (n.value = t ?? void 0) && (e.value !== t || t === 0 && e.nodeName === xi) && (e.value = t ?? "");
}
function $(e, t, n, r) {
	var i = wi(e);
	if (!(D && (i[t] = e.getAttribute(t), t === "src" || t === "srcset" || t === "href" && e.nodeName === bi))) {
		var a = i[t];
		a !== (i[t] = n) && (t === "loading" && (e[ce] = n), n == null ? e.removeAttribute(t) : typeof n != "string" && Ei(e).has(t) ? e[t] = n : (!D || typeof n != "number" && typeof n != "boolean" || a !== String(n)) && e.setAttribute(t, n));
	}
}
function wi(e) {
	return e[le] ??= {
		[vi]: e.nodeName.includes("-"),
		[yi]: e.namespaceURI === _e
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
	Cn(() => (pr(() => n(e[t])), r));
}
// node_modules/svelte/src/internal/client/dom/elements/bindings/this.js
function ki(e, t) {
	return e === t || e?.[T] === t;
}
function Ai(e = Ye(), t, n, r) {
	var i = A.r, a = W;
	return Cn(() => {
		var o, s;
		return Tn(() => {
			o = s, s = r?.() || [], pr(() => {
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
	let t = A, n = t.l.u;
	if (!n) return;
	let r = () => mr(t.s);
	if (e) {
		let e = 0, n = {}, i = /* @__PURE__ */ ft(() => {
			let r = !1, i = t.s;
			for (let e in i) i[e] !== n[e] && (n[e] = i[e], r = !0);
			return r && e++, e;
		});
		r = () => G(i);
	}
	n.b.length && xn(() => {
		Mi(t, r), p(n.b);
	}), yn(() => {
		let e = pr(() => n.m.map(f));
		return () => {
			for (let t of e) typeof t == "function" && t();
		};
	}), n.a.length && yn(() => {
		Mi(t, r), p(n.a);
	});
}
function Mi(e, t) {
	if (e.l.s) for (let t of e.l.s) G(t);
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
	var i = !Ue || !!(n & 2), o = !!(n & 8), s = !!(n & 16), c = r, l = !0, u = void 0, d = () => s && i ? (u ??= /* @__PURE__ */ ft(r), G(u)) : (l && (l = !1, c = s ? pr(r) : r), c);
	let f;
	if (o) {
		var p = T in e || se in e;
		f = a(e, t)?.set ?? (p && t in e ? (n) => e[t] = n : void 0);
	}
	var m, h = !1;
	o ? [m, h] = Pi(() => e[t]) : m = e[t], m === void 0 && r !== void 0 && (m = d(), f && (i && Re(t), f(m)));
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
	var v = !1, y = (n & 1 ? ft : ht)(() => (v = !1, g()));
	o && G(y);
	var b = W;
	return (function(e, t) {
		if (arguments.length > 0) {
			let n = t ? G(y) : i && o ? Xt(e) : e;
			return L(y, n), v = !0, c !== void 0 && (c = n), e;
		}
		return Vn && v || b.f & 16384 ? y.v : G(y);
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
var Wi = 4, Gi = [
	"ss",
	"us",
	"is"
], Ki = class {
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
			let i = t.slice(e, e + r), a = this.phrases.get(i.join(" ")) ?? /* @__PURE__ */ new Set();
			n.push({
				words: i.join(" "),
				terms: a,
				all: /* @__PURE__ */ new Set([...a, i.join(" ")])
			}), e += r;
		}
		return n;
	}
	words(e) {
		return (e.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((e) => !this.ignored.has(e)).map((e) => this.stem(e));
	}
	stem(e) {
		if (Gi.some((t) => e.endsWith(t))) return e;
		let t = this.finder.endings.find(([t]) => e.endsWith(t) && [...e].length - t.length >= 3);
		return t ? e.slice(0, e.length - t[0].length) + t[1] : e;
	}
	topics(e) {
		let t = this.finder.topics.map((t) => ({
			topic: t,
			points: qi(t, e)
		})), n = Math.max(0, ...t.map(({ points: e }) => e));
		return n > 0 ? t.filter(({ points: e }) => e === n).map(({ topic: e }) => e) : [];
	}
	answer(e, t) {
		let n = this.units(e), r = Ji(this.topics(n), t);
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
function qi(e, t) {
	let n = new Set(e.needs), [r, i] = [0, !1];
	for (let { all: a } of t) {
		let t = e.needs.filter((e) => a.has(e));
		t.forEach((e) => n.delete(e)), t.length > 0 && (i = !0), r += t.length > 0 ? 2 : +!!e.terms.some((e) => a.has(e));
	}
	return i ? r - .5 * n.size : 0;
}
function Ji(e, t) {
	let n = /* @__PURE__ */ new Map(), r = Math.max(0, ...e.map(({ heads: e }) => e.length));
	for (let t = 0; t < r; t++) for (let r of e) t < r.heads.length && !n.has(r.heads[t]) && n.set(r.heads[t], {
		topic: r,
		rank: t
	});
	return [...n.values()].slice(0, t);
}
function Yi(e, t, n = null) {
	if (t === null) return "–";
	if (e.unit === "share") {
		let e = n === null ? "" : ` ± ${Xi(100 * n, 1)}`;
		return `${(100 * t).toFixed(1)}${e} %`;
	}
	let r = n === null ? "" : ` ± ${Xi(n, $i(t))}`, i = [
		"nats",
		"tokens' worth",
		"tokens"
	].includes(e.unit) ? ` ${e.unit}` : "";
	return `${ea(t)}${r}${i}`;
}
function Xi(e, t) {
	return e > 0 && e < .5 * 10 ** -t ? `<${(10 ** -t).toFixed(t)}` : e.toFixed(t);
}
function Zi(e, t) {
	return t === null ? "–" : e.unit === "share" ? (100 * t).toFixed(1) : ea(t);
}
function Qi(e, t) {
	let n = t.map((t) => e.unit === "share" ? 100 * t : t), r = Math.abs((n[1] ?? 1) - (n[0] ?? 0)), i = Math.max(0, Math.min(6, -Math.floor(Math.log10(r) + 1e-9)));
	return n.map((e) => ia(e.toFixed(i)));
}
var $i = (e) => Math.abs(e) >= .1 ? 2 : 4;
function ea(e, t = $i(e)) {
	return e !== 0 && Math.abs(e) < .5 * 10 ** -t ? ia(e.toExponential(1)) : ia(na(t).format(e));
}
var ta = [];
function na(e) {
	return ta[e] ??= new Intl.NumberFormat("en-US", {
		minimumFractionDigits: e,
		maximumFractionDigits: e
	});
}
function ra(e) {
	return (e > 0 ? "+" : "") + ea(e, 4);
}
var ia = (e) => e.replaceAll("-", "−");
function aa(e, t, n) {
	let r = (e) => Math.round(100 * e).toString();
	return t === null || n === null ? `${r(e)} %` : `${r(e)} % (95 %: ${r(t)}–${r(n)})`;
}
function oa(e) {
	return e === null ? "" : e < .001 ? "p < 0.001" : `p = ${e.toFixed(3)}`;
}
function sa(e, t) {
	return `${e.toLocaleString("en-US")} ${t}${e === 1 ? "" : "s"}`;
}
function ca(e) {
	return `${e}${e % 100 >= 11 && e % 100 <= 13 ? "th" : [
		"th",
		"st",
		"nd",
		"rd"
	][e % 10] ?? "th"}`;
}
function la(e) {
	return e < 26 ? String.fromCharCode(97 + e) : la(Math.floor(e / 26) - 1) + la(e % 26);
}
function ua(e, t) {
	return e.map((e) => typeof e == "number" ? t[e] : e).join("");
}
// src/report/book.ts
var da = class {
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
		this.count = n.length, this.matcher = new Ki(e.finder), this.places = new Map(n.map((e, t) => [e, t])), n.forEach((e, t) => {
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
		return this.document.cards[e].sentences.map((e) => ua(e, this.document.heads.address)).join(" ");
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
		return `${s === 1 ? "" : `${ca(s)} `}${c} of ${a}`;
	}
	domain(e) {
		let { values: t, low: n, baseline: r } = this.document.statistics[e], i = t.filter((e) => e !== null);
		if (r !== void 0 && i.push(r), i.length === 0) return [0, 1];
		let [a, o] = [Math.min(...i), Math.max(...i)], s = n === 0 ? 0 : Math.min(a, 0);
		return o > s ? [s, o] : [s, s + 1];
	}
	note(e, t = null) {
		let n = [e.definition], r = t === null ? null : typeof e.n == "number" ? e.n : e.n[t];
		r !== null && n.push(`${r.toLocaleString("en-US")} ${r === 1 ? "item" : "items"} for this head; ± is one standard error.`);
		let i = t === null ? null : e.chances?.[t] ?? null;
		return i === null ? e.baseline === void 0 ? e.chance && n.push(`By chance: ${e.chance}.`) : n.push(`Baseline: ${(100 * e.baseline).toFixed(1)} %.`) : n.push(`By chance: ${i.toPrecision(2)}.`), n;
	}
	weights(e) {
		let [t, n] = e.weights.shape;
		return {
			bytes: Ri(this.data, e.weights),
			rows: t,
			columns: n
		};
	}
}, fa = "attlas.report/1";
function pa(e, t) {
	if (e.schema !== "attlas.report/1") throw Error(`This page shows ${fa}; the file holds ${String(e.schema)}.`);
	if (e.bytes !== t) throw Error(`The file was cut: ${t} of ${e.bytes} bytes of maps are here.`);
	let n = e.heads.address.length;
	if (e.cards.length !== n || e.statistics.some(({ values: e }) => e.length !== n)) throw Error(`The file does not fit its ${n} heads.`);
}
// node_modules/svelte/src/internal/disclose-version.js
typeof window < "u" && ((window.__svelte ??= {}).v ??= /* @__PURE__ */ new Set()).add("5");
// src/draw/marks.ts
function ma(e, t = 28) {
	let n = [...e];
	return n.length > t ? n.slice(0, t - 1).join("") + "…" : e;
}
// src/core/download.ts
function ha(e, t) {
	let n = document.createElement("a");
	n.href = URL.createObjectURL(e), n.download = t, n.click(), setTimeout(() => URL.revokeObjectURL(n.href), 1e4);
}
// src/report/exporting.ts
function ga(e, t) {
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
function _a(e, t) {
	return new Blob([ga(e, t).text], { type: "image/svg+xml" });
}
async function va(e, t, n = 2) {
	let { text: r, width: i, height: a } = ga(e, t), o = new Image();
	o.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(r)}`, await o.decode();
	let s = document.createElement("canvas");
	return [s.width, s.height] = [Math.ceil(i * n), Math.ceil(a * n)], s.getContext("2d").drawImage(o, 0, 0, s.width, s.height), new Promise((e, t) => s.toBlob((n) => n ? e(n) : t(/* @__PURE__ */ Error("The picture is too large.")), "image/png"));
}
function ya(e, t) {
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
	])].map((e) => e.map(ba).join(",")).join("\r\n") + "\r\n";
}
function ba(e) {
	if (typeof e == "number") return String(e);
	let t = /^[=+\-@\t\r]/.test(e) && !/^-?\d/.test(e) ? `'${e}` : e;
	return /[",\r\n]/.test(t) ? `"${t.replaceAll("\"", "\"\"")}"` : t;
}
function xa(e, t) {
	let { cards: n, names: r, statistics: i, chapters: a, heads: o, model: s, made: c } = e.document, l = n[t], u = [
		`# Head ${e.address(t)} of ${Sa(s.title)}`,
		"",
		...l.sentences.map((e) => Sa(ua(e, o.address))),
		""
	], d = r.flatMap((n) => {
		let r = e.name(n, t);
		return r ? [`- ${n.title}: ${Sa(r.title)} (${Math.round(100 * (n.confidence[t] ?? 0))} %)`] : [];
	});
	if (d.length > 0 && u.push("## Names", "", ...d, ""), l.relations.length > 0) {
		u.push("## Relations", "", "| relation | way | found | baseline | p | n |", "|---|---|---|---|---|---|");
		for (let e of l.relations) u.push(`| ${Sa(e.title)} | ${Sa(e.way)} | ${aa(e.value, e.low, e.high)} | ${e.baseline === null ? "" : `${aa(e.baseline, null, null)} (${Sa(e.baseline_title)})`} | ${oa(e.p)} | ${e.n} |`);
		u.push("");
	}
	if (l.effects.length > 0) {
		u.push("## Disabled", "");
		for (let e of l.effects) u.push(`- ${Sa(e.edit_title)}: ${Sa(e.score)} ${ra(e.change)}${e.low === null || e.high === null ? "" : ` (95 %: ${ra(e.low)} to ${ra(e.high)})`}${e.p === null ? "" : `, ${oa(e.p)}`}, ${e.n} items`);
		u.push("");
	}
	return u.push("## Statistics", "", "| statistic | value | among heads | corpus |", "|---|---|---|---|"), i.forEach((n, r) => {
		n.values[t] !== null && u.push(`| ${Sa(n.title)} | ${Yi(n, n.values[t], n.stderr[t])} | ${e.rankText(r, t)} | ${Sa(a[n.chapter].corpus)} |`);
	}), [
		...u,
		"",
		`Made with Attlas ${c.attlas} from ${Sa(c.atlas)}, ${c.when}.`,
		""
	].join("\n");
}
var Sa = (e) => e.replace(/[\\`*_{}[\]<>|#]/g, "\\$&").replace(/\s+/g, " "), Ca = /* @__PURE__ */ q("<th scope=\"col\" class=\"name svelte-x41cjd\"><button type=\"button\" class=\"svelte-x41cjd\"> </button></th>"), wa = /* @__PURE__ */ q("<th scope=\"col\" class=\"number svelte-x41cjd\"><button type=\"button\" class=\"svelte-x41cjd\"> </button><sup class=\"note\"> </sup></th>"), Ta = /* @__PURE__ */ q("<i class=\"svelte-x41cjd\"></i><bdi> </bdi>", 1), Ea = /* @__PURE__ */ q("<td class=\"name svelte-x41cjd\"><!></td>"), Da = /* @__PURE__ */ q("<td class=\"number svelte-x41cjd\"> </td>"), Oa = /* @__PURE__ */ q("<tr class=\"svelte-x41cjd\"><th scope=\"row\" class=\"svelte-x41cjd\"><a> </a></th><!><!></tr>"), ka = /* @__PURE__ */ q("<button type=\"button\"> </button>"), Aa = /* @__PURE__ */ q("<div class=\"scroll svelte-x41cjd\" tabindex=\"0\" role=\"region\" aria-label=\"Table of heads\"><table class=\"svelte-x41cjd\"><thead class=\"svelte-x41cjd\"><tr><th scope=\"col\" class=\"svelte-x41cjd\"><button type=\"button\" class=\"svelte-x41cjd\"> </button></th><!><!></tr></thead><tbody class=\"svelte-x41cjd\"></tbody></table></div> <p class=\"tools svelte-x41cjd\"><!> <button type=\"button\">CSV with all statistics</button></p>", 1);
function ja(e, t) {
	M(t, !0);
	let n = Fi(t, "more", 19, () => []), r = Fi(t, "first", 3, 24), i = j("report"), { book: a } = i, { statistics: o, names: s } = a.document, c = /* @__PURE__ */ I(!1), l = /* @__PURE__ */ P(() => [.../* @__PURE__ */ new Set([...n(), ...a.overview])]), u = /* @__PURE__ */ P(() => i.sort.replace(/^-/, "")), d = /* @__PURE__ */ P(() => i.sort.startsWith("-")), f = /* @__PURE__ */ P(() => {
		if (!G(u)) return t.heads;
		let e = [...t.heads], n = s.find((e) => e.kind === G(u));
		if (G(u) === "head") e.sort((e, t) => e - t);
		else if (n) e.sort((e, t) => (a.name(n, e)?.title ?? "~").localeCompare(a.name(n, t)?.title ?? "~") || e - t);
		else {
			let t = o[a.named(G(u)) ?? 0].values;
			e.sort((e, n) => (t[n] ?? -Infinity) - (t[e] ?? -Infinity) || e - n);
		}
		return G(d) ? e.reverse() : e;
	}), p = /* @__PURE__ */ P(() => G(c) || i.printing === "all" ? G(f) : G(f).slice(0, r())), m = (e) => i.go({ sort: G(u) === e ? G(d) ? "" : `-${e}` : e }), h = (e) => G(u) === e ? G(d) ? "ascending" : "descending" : "none", g = (e) => G(u) === e ? G(d) ? " ↑" : " ↓" : "";
	var _ = Aa(), v = z(_), y = R(v), b = R(y), x = R(b), S = R(x), C = R(S), w = B(C);
	k(S);
	var ee = V(S);
	Q(ee, 17, () => s, ({ kind: e, title: t }) => e, (e, t) => {
		let n = () => G(t).kind, r = () => G(t).title;
		var i = Ca(), a = R(i), o = B(a);
		k(i), H((e, t) => {
			$(i, "aria-sort", e), $(a, "title", r()), X(o, `${n() ?? ""}${t ?? ""}`);
		}, [() => h(n()), () => g(n())]), K("click", a, () => m(n())), Y(e, i);
	}), Q(V(ee), 16, () => G(l), (e) => e, (e, t) => {
		let n = /* @__PURE__ */ P(() => {
			let { key: e, short: n, unit: r } = o[t];
			return {
				own: e,
				short: n,
				unit: r
			};
		});
		var r = wa(), i = R(r), a = B(i), s = B(V(i), !0);
		k(r), H((e, o) => {
			$(r, "aria-sort", e), $(i, "data-tells", `statistic ${t ?? ""}`), X(a, `${G(n).short ?? ""}${G(n).unit === "share" ? ", %" : ""}${o ?? ""}`), X(s, t + 1);
		}, [() => h(G(n).own), () => g(G(n).own)]), K("click", i, () => m(G(n).own)), Y(e, r);
	}), k(x), k(b);
	var te = V(b);
	Q(te, 20, () => G(p), (e) => e, (e, t) => {
		var n = Oa(), r = R(n), c = R(r), u = B(c, !0);
		k(r);
		var d = V(r);
		Q(d, 17, () => s, (e) => e.kind, (e, n) => {
			let r = /* @__PURE__ */ P(() => a.name(G(n), t));
			var o = Ea(), s = R(o), c = (e) => {
				var t = Ta(), n = z(t);
				let a;
				var o = B(V(n), !0);
				H(() => {
					a = di(n, "", a, { background: i.dark ? G(r).dark : G(r).light }), X(o, G(r).title);
				}), Y(e, t);
			};
			Z(s, (e) => {
				G(r) && G(r).name !== "none" && e(c);
			}), k(o), Y(e, o);
		}), Q(V(d), 16, () => G(l), (e) => e, (e, n) => {
			var r = Da(), i = B(r, !0);
			H((e) => {
				$(r, "data-tells", `statistic ${n ?? ""} ${t ?? ""}`), X(i, e);
			}, [() => Zi(o[n], o[n].values[t])]), Y(e, r);
		}), k(n), H((e, n) => {
			$(c, "href", e), $(c, "data-tells", `head ${t ?? ""}`), X(u, n);
		}, [() => i.link(t), () => a.address(t)]), Y(e, n);
	}), k(te), k(y), k(v);
	var ne = V(v, 2), re = R(ne), ie = (e) => {
		var t = ka(), n = B(t);
		H((e) => X(n, `Show all ${e ?? ""}`), [() => sa(G(f).length, "head")]), K("click", t, () => L(c, !0)), Y(e, t);
	};
	Z(re, (e) => {
		G(f).length > G(p).length && e(ie);
	});
	var ae = V(re, 2);
	k(ne), H((e, t) => {
		$(S, "aria-sort", e), X(w, `head${t ?? ""}`);
	}, [() => h("head"), () => g("head")]), K("click", C, () => m("head")), K("click", ae, () => ha(new Blob([ya(a, G(f))], { type: "text/csv" }), `${a.document.model.title.replace(/[^\w.-]+/g, "-")}-heads.csv`)), Y(e, _), N();
}
Cr(["click"]);
// src/report/Words.svelte
var Ma = /* @__PURE__ */ q("<a> </a>");
function Na(e, t) {
	M(t, !0);
	let n = j("report");
	var r = Nr();
	Q(z(r), 17, () => t.sentence, Gr, (e, t) => {
		var r = Nr(), i = z(r), a = (e) => {
			var r = Ma(), i = B(r, !0);
			H((e, n) => {
				$(r, "href", e), $(r, "data-tells", `head ${G(t) ?? ""}`), X(i, n);
			}, [() => n.link(G(t)), () => n.book.address(G(t))]), Y(e, r);
		}, o = (e) => {
			var n = Mr();
			H(() => X(n, G(t))), Y(e, n);
		};
		Z(i, (e) => {
			typeof G(t) == "number" ? e(a) : e(o, -1);
		}), Y(e, r);
	}), Y(e, r), N();
}
// src/report/Answers.svelte
var Pa = /* @__PURE__ */ q("<p class=\"warning svelte-15e2dk5\"><code> </code> </p>"), Fa = /* @__PURE__ */ q("<p class=\"warning svelte-15e2dk5\"> <code> </code></p>"), Ia = /* @__PURE__ */ q("<p class=\"warning svelte-15e2dk5\"> </p>"), La = /* @__PURE__ */ q(" <!>", 1), Ra = /* @__PURE__ */ q("<li class=\"svelte-15e2dk5\"><a class=\"address svelte-15e2dk5\"> </a> <p></p></li>"), za = /* @__PURE__ */ q("<!> <p class=\"tools svelte-15e2dk5\"><button type=\"button\"> </button></p>", 1), Ba = /* @__PURE__ */ q("<section aria-labelledby=\"attlas-found\" class=\"svelte-15e2dk5\"><h1 id=\"attlas-found\" tabindex=\"-1\" class=\"svelte-15e2dk5\"> <small class=\"svelte-15e2dk5\"><!></small></h1> <!> <!> <!> <ol class=\"answers svelte-15e2dk5\"></ol> <!></section>");
function Va(e, t) {
	M(t, !0);
	let n = j("report"), { book: r } = n, i = /* @__PURE__ */ P(() => n.found), a = /* @__PURE__ */ P(() => G(i).query.conditions.flatMap(({ statistic: e }) => e === null ? [] : [e])), o = /* @__PURE__ */ P(() => [...new Set(G(i).answers.map(({ about: e }) => e).filter(Boolean))]), s = /* @__PURE__ */ I(!1);
	async function c() {
		await navigator.clipboard.writeText(location.href), L(s, !0), setTimeout(() => L(s, !1), 2e3);
	}
	var l = Ba(), u = R(l), d = R(u, !0), f = V(d), p = R(f), m = (e) => {
		var t = Mr();
		H((e) => X(t, `by ${e ?? ""}`), [() => G(o).join(", ")]), Y(e, t);
	};
	Z(p, (e) => {
		G(o).length > 0 && e(m);
	}), k(f), k(u);
	var h = V(u, 2);
	Q(h, 17, () => G(i).query.conditions.filter(({ problem: e }) => e), ({ written: e, problem: t }) => e, (e, t) => {
		let n = () => G(t).written, r = () => G(t).problem;
		var i = Pa(), a = R(i), o = B(a, !0), s = V(a);
		k(i), H(() => {
			X(o, n()), X(s, `: ${r() ?? ""}.`);
		}), Y(e, i);
	});
	var g = V(h, 2);
	Q(g, 17, () => G(i).missing, ({ title: e, command: t }) => t, (e, t) => {
		let n = () => G(t).title, r = () => G(t).command;
		var i = Fa(), a = R(i), o = B(V(a), !0);
		k(i), H(() => {
			X(a, `The atlas has not measured ${n() ?? ""}. This would: `), X(o, r());
		}), Y(e, i);
	});
	var _ = V(g, 2), v = (e) => {
		var t = Ia(), n = B(t, !0);
		H(() => X(n, G(i).note)), Y(e, t);
	};
	Z(_, (e) => {
		G(i).note && e(v);
	});
	var y = V(_, 2);
	Q(y, 21, () => G(i).answers, ({ head: e, sentences: t, sure: n }) => e, (e, t) => {
		let i = () => G(t).head, a = () => G(t).sentences, o = () => G(t).sure;
		var s = Ra(), c = R(s), l = B(c, !0), u = V(c, 2);
		let d;
		Q(u, 21, a, Gr, (e, t, n) => {
			Te();
			var r = La(), i = z(r, !0);
			i.nodeValue = n ? " " : "", Na(V(i), { get sentence() {
				return G(t);
			} }), Y(e, r);
		}), k(u), k(s), H((e, t) => {
			$(c, "href", e), $(c, "data-tells", `head ${i() ?? ""}`), X(l, t), d = li(u, 1, "svelte-15e2dk5", null, d, { unsure: !o() });
		}, [() => n.link(i()), () => r.address(i())]), Y(e, s);
	}), k(y);
	var b = V(y, 2), x = (e) => {
		var t = za(), n = z(t);
		ja(n, {
			get heads() {
				return G(i).heads;
			},
			get more() {
				return G(a);
			},
			first: 48
		});
		var r = V(n, 2), o = R(r), l = B(o, !0);
		k(r), H(() => X(l, G(s) ? "Copied" : "Copy a link to this result")), K("click", o, c), Y(e, t);
	};
	Z(b, (e) => {
		G(i).heads.length > 0 && e(x);
	}), k(l), H((e) => X(d, e), [() => G(i).heads.length === 0 ? "No head" : sa(G(i).heads.length, "head")]), Y(e, l), N();
}
Cr(["click"]);
// src/report/passage.ts
function Ha({ tokens: e, gaps: t }, n, r, i = 12) {
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
var Ua = /* @__PURE__ */ q("<span class=\"arrow\">→</span>"), Wa = /* @__PURE__ */ q("<bdi> </bdi>"), Ga = /* @__PURE__ */ q("<mark><bdi> </bdi></mark>"), Ka = /* @__PURE__ */ q(" <!>", 1), qa = /* @__PURE__ */ q("<!><!>", 1), Ja = /* @__PURE__ */ q("<li class=\"svelte-viqa4g\"><span class=\"weight svelte-viqa4g\"> </span> <p class=\"svelte-viqa4g\"></p></li>");
function Ya(e, t) {
	M(t, !0);
	let { tokens: n } = j("report").book.document, r = /* @__PURE__ */ P(() => t.examples.key_tokens[t.at]), i = /* @__PURE__ */ P(() => {
		let e = n[t.examples.tokens[t.at]];
		return G(r) === null ? [Ha(e, t.examples.query[t.at], t.examples.key[t.at])] : [Ha(e, t.examples.query[t.at], null), Ha(n[G(r)], null, t.examples.key[t.at])];
	}), a = /* @__PURE__ */ P(() => t.examples.weight[t.at]);
	var o = Ja(), s = R(o), c = B(s, !0), l = V(s, 2);
	Q(l, 21, () => G(i), Gr, (e, t, n) => {
		var r = qa(), i = z(r), o = (e) => {
			Y(e, Ua());
		};
		Z(i, (e) => {
			n && e(o);
		}), Q(V(i), 17, () => G(t), Gr, (e, t) => {
			let n = () => G(t).text, r = () => G(t).apart, i = () => G(t).role;
			Te();
			var o = Ka(), s = z(o, !0), c = V(s), l = (e) => {
				var t = Wa(), r = B(t, !0);
				H(() => {
					li(t, 1, ri(i()), "svelte-viqa4g"), X(r, n());
				}), Y(e, t);
			}, u = (e) => {
				var t = Ga();
				let r;
				var o = B(R(t), !0);
				k(t), H((e) => {
					li(t, 1, ri(i()), "svelte-viqa4g"), r = di(t, "", r, { "--strength": e }), X(o, n());
				}, [() => `${Math.round(20 + 55 * Math.min(1, G(a)))}%`]), Y(e, t);
			};
			Z(c, (e) => {
				i() === "" || i() === "gap" ? e(l) : e(u, -1);
			}), H(() => X(s, r() ? " " : "")), Y(e, o);
		}), Y(e, r);
	}), k(l), k(o), H((e) => X(c, e), [() => G(a).toFixed(2)]), Y(e, o), N();
}
// src/report/ExampleGroups.svelte
var Xa = /* @__PURE__ */ q("<p class=\"quiet\">This atlas keeps only a head's strongest links, which are not typical of it: look at its statistics and its map, too.</p>"), Za = /* @__PURE__ */ q("<button type=\"button\" class=\"more\"> </button>"), Qa = /* @__PURE__ */ q("<h3> </h3> <ul class=\"svelte-1294qqo\"></ul> <!>", 1), $a = /* @__PURE__ */ q("<p class=\"key svelte-1294qqo\">From the <mark class=\"query svelte-1294qqo\">framed</mark> token to the <mark class=\"to svelte-1294qqo\">filled</mark> one, with the weight before it.</p> <!> <!>", 1);
function eo(e, t) {
	M(t, !0);
	let n = j("report"), r = [
		"weakest fifth",
		"second fifth",
		"middle fifth",
		"fourth fifth",
		"strongest fifth"
	], i = Xt({}), a = /* @__PURE__ */ P(() => {
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
	}), o = /* @__PURE__ */ P(() => !t.examples.kind.some((e) => e === "step" || e === "random"));
	var s = $a(), c = V(z(s), 2), l = (e) => {
		Y(e, Xa());
	};
	Z(c, (e) => {
		G(o) && e(l);
	}), Q(V(c, 2), 17, () => G(a), ({ title: e, members: t }) => e, (e, r) => {
		let a = () => G(r).title, o = () => G(r).members;
		var s = Qa(), c = z(s), l = B(c, !0), u = V(c, 2);
		Q(u, 20, () => n.printing || i[a()] ? o() : o().slice(0, 3), (e) => e, (e, n) => {
			Ya(e, {
				get examples() {
					return t.examples;
				},
				get at() {
					return n;
				}
			});
		}), k(u);
		var d = V(u, 2), f = (e) => {
			var t = Za(), n = B(t);
			H(() => X(n, `${o().length - 3} more`)), K("click", t, () => i[a()] = !0), Y(e, t);
		};
		Z(d, (e) => {
			o().length > 3 && !i[a()] && e(f);
		}), H(() => X(l, a())), Y(e, s);
	}), Y(e, s), N();
}
Cr(["click"]);
// src/report/Save.svelte
var to = /* @__PURE__ */ q("<p class=\"save svelte-jspyl1\"><button type=\"button\">SVG</button> <button type=\"button\">PNG</button></p>");
function no(e, t) {
	M(t, !0);
	let n = j("report"), r = /* @__PURE__ */ P(() => `${n.book.document.model.title.replace(/[^\w.-]+/g, "-")}-${t.name}`);
	var i = to(), a = R(i), o = V(a, 2);
	k(i), K("click", a, () => t.picture && ha(_a(t.picture, n.colours.page), `${G(r)}.svg`)), K("click", o, async () => t.picture && ha(await va(t.picture, n.colours.page), `${G(r)}.png`)), Y(e, i), N();
}
Cr(["click"]);
// src/report/HeadGrid.svelte
var ro = /* @__PURE__ */ J("<text text-anchor=\"end\" dominant-baseline=\"central\"> </text>"), io = /* @__PURE__ */ J("<text text-anchor=\"middle\"> </text>"), ao = /* @__PURE__ */ J("<!><!>", 1), oo = /* @__PURE__ */ J("<a class=\"svelte-9pip0o\"><rect rx=\"5\" class=\"svelte-9pip0o\"></rect></a>"), so = /* @__PURE__ */ q("<div class=\"under svelte-9pip0o\"><span class=\"quiet\">Layers downwards, heads across.</span> <!></div>"), co = /* @__PURE__ */ q("<svg class=\"grid svelte-9pip0o\" role=\"group\"><!><!></svg> <!>", 1);
function lo(e, t) {
	M(t, !0);
	let n = Fi(t, "chosen", 3, null), r = Fi(t, "small", 3, !1), i = Fi(t, "saved", 3, !1), a = j("report"), { book: o } = a, s = /* @__PURE__ */ P(() => Math.max(1, t.grid.width * 30 / 420, t.grid.layers * 30 / 620)), c = /* @__PURE__ */ P(() => r() ? 0 : 30 * G(s)), l = /* @__PURE__ */ P(() => r() ? 0 : 22 * G(s)), { kind: u, layer: d, head: f } = o.document.heads, p = /* @__PURE__ */ P(() => [...u.keys()].filter((e) => u[e] === t.grid.kind)), m = /* @__PURE__ */ P(() => G(c) + t.grid.width * 30), h = /* @__PURE__ */ P(() => G(l) + t.grid.layers * 30), g = /* @__PURE__ */ P(() => Math.ceil(t.grid.layers / 16)), _ = /* @__PURE__ */ P(() => Math.ceil(t.grid.width / 16)), v = /* @__PURE__ */ I(0), y = /* @__PURE__ */ I(void 0), b = /* @__PURE__ */ P(() => r() ? Math.min(G(m) / 3, 240 * G(m) / G(h)) : G(m) * Math.min(1.15, 620 / G(h)));
	function x(e) {
		let t = {
			ArrowLeft: [0, -1],
			ArrowRight: [0, 1],
			ArrowUp: [-1, 0],
			ArrowDown: [1, 0]
		}[e.key];
		if (!t) return;
		e.preventDefault();
		let n = G(p)[G(v)], r = G(p).findIndex((e) => d[e] === d[n] + t[0] && f[e] === f[n] + t[1]);
		r < 0 || (L(v, r, !0), G(y)?.querySelectorAll("a")[r].focus());
	}
	var S = co(), C = z(S);
	let w;
	var ee = R(C), te = (e) => {
		var n = ao(), r = z(n);
		Q(r, 16, () => Array(Math.ceil(t.grid.layers / G(g))).keys(), (e) => e, (e, t) => {
			var n = ro(), r = B(n, !0);
			H(() => {
				$(n, "x", G(c) - 8 * G(s)), $(n, "y", G(l) + (t * G(g) + .5) * 30), $(n, "font-size", 11 * G(s)), $(n, "fill", a.colours.quiet), X(r, t * G(g));
			}), Y(e, n);
		}), Q(V(r), 16, () => Array(Math.ceil(t.grid.width / G(_))).keys(), (e) => e, (e, t) => {
			var n = io(), r = B(n, !0);
			H(() => {
				$(n, "x", G(c) + (t * G(_) + .5) * 30), $(n, "y", G(l) - 10 * G(s)), $(n, "font-size", 11 * G(s)), $(n, "fill", a.colours.quiet), X(r, t * G(_));
			}), Y(e, n);
		}), Y(e, n);
	};
	Z(ee, (e) => {
		r() || e(te);
	}), Q(V(ee), 18, () => G(p), (e) => e, (e, t, r) => {
		var i = oo(), s = R(i);
		$(s, "width", 27), $(s, "height", 27), k(i), H((e, o, u, p, m) => {
			$(i, "href", e), $(i, "data-tells", `head ${t ?? ""}`), $(i, "tabindex", G(r) === G(v) ? 0 : -1), $(i, "aria-label", `Head ${o ?? ""}, ${u ?? ""}`), $(i, "aria-current", t === n() ? "page" : void 0), $(s, "x", G(c) + f[t] * 30 + 1.5), $(s, "y", G(l) + d[t] * 30 + 1.5), $(s, "fill", p), $(s, "fill-opacity", m), $(s, "stroke", t === n() || t === a.pointed ? a.colours.ink : a.colours.edge), $(s, "stroke-width", t === n() ? 6 : t === a.pointed ? 2.5 : .75);
		}, [
			() => a.link(t),
			() => o.address(t),
			() => a.says(t),
			() => a.colour(t),
			() => a.opacity(t)
		]), Sr("focus", i, () => L(v, G(r), !0)), Y(e, i);
	}), k(C), Ai(C, (e) => L(y, e), () => G(y));
	var ne = V(C, 2), re = (e) => {
		var n = so();
		no(V(R(n), 2), {
			get picture() {
				return G(y);
			},
			get name() {
				return `${t.grid.kind ?? ""}-heads`;
			}
		}), k(n), Y(e, n);
	};
	Z(ne, (e) => {
		i() && e(re);
	}), H(() => {
		$(C, "viewBox", `0 0 ${G(m) ?? ""} ${G(h) ?? ""}`), $(C, "aria-label", `${t.grid.kind ?? ""} heads by layer`), w = di(C, "", w, { "max-width": `${G(b) ?? ""}px` });
	}), K("keydown", C, x), Y(e, S), N();
}
Cr(["keydown"]);
// src/report/Interval.svelte
var uo = /* @__PURE__ */ J("<path stroke-opacity=\"0.45\" stroke-width=\"4\" stroke-linecap=\"round\"></path>"), fo = /* @__PURE__ */ J("<path stroke-width=\"1.5\"></path>"), po = /* @__PURE__ */ J("<svg class=\"strip\" height=\"22\" aria-hidden=\"true\"><path></path><!><!><circle cy=\"11\" r=\"5\" stroke-width=\"1.5\"></circle></svg>");
function mo(e, t) {
	M(t, !0);
	let n = j("report"), r = /* @__PURE__ */ P(() => n.colours), i = /* @__PURE__ */ P(() => (e) => 6 + 188 * (Math.max(t.from, Math.min(t.to, e)) - t.from) / (t.to - t.from || 1));
	var a = po();
	$(a, "viewBox", "0 0 200 22"), $(a, "width", 200);
	var o = R(a);
	$(o, "d", "M6 16H194");
	var s = V(o), c = (e) => {
		var n = uo();
		H((e, t) => {
			$(n, "d", `M${e ?? ""} 11H${t ?? ""}`), $(n, "stroke", G(r).accent);
		}, [() => G(i)(t.low), () => G(i)(t.high)]), Y(e, n);
	};
	Z(s, (e) => {
		t.low !== null && t.high !== null && e(c);
	});
	var l = V(s), u = (e) => {
		var n = fo();
		H((e) => {
			$(n, "d", `M${e ?? ""} 2V20`), $(n, "stroke", G(r).negative);
		}, [() => G(i)(t.against)]), Y(e, n);
	};
	Z(l, (e) => {
		t.against !== null && e(u);
	});
	var d = V(l);
	k(a), H((e) => {
		$(o, "stroke", G(r).edge), $(d, "cx", e), $(d, "fill", G(r).accent), $(d, "stroke", G(r).page);
	}, [() => G(i)(t.value)]), Y(e, a), N();
}
// src/draw/ramp.ts
var ho = {
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
}, go = {};
function _o(e, t = !1) {
	let n = `${e ? "dark" : "light"}${t ? " signed" : ""}`;
	return go[n] ??= vo(ho[n]);
}
function vo(e) {
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
function yo(e, t, n = !1) {
	let r = Math.max(0, Math.min(255, Math.round(t * 255))) * 4, [i, a, o] = _o(e, n).slice(r, r + 3);
	return `#${[
		i,
		a,
		o
	].map((e) => e.toString(16).padStart(2, "0")).join("")}`;
}
function bo(e, t, n, r, { clear: i = !1, signed: a = !1 } = {}) {
	let o = document.createElement("canvas");
	o.width = t, o.height = n;
	let s = new ImageData(t, n), c = new Uint32Array(_o(r, a).buffer), l = new Uint32Array(s.data.buffer);
	for (let t = 0; t < e.length; t++) (e[t] > 0 || !i) && (l[t] = c[e[t]]);
	return o.getContext("2d").putImageData(s, 0, 0), o;
}
// src/report/MapPicture.svelte
var xo = /* @__PURE__ */ J("<text text-anchor=\"end\" dominant-baseline=\"central\" font-size=\"9.5\"> </text>"), So = /* @__PURE__ */ J("<text dominant-baseline=\"central\" font-size=\"9.5\"> </text>"), Co = /* @__PURE__ */ q("<bdi> </bdi> → <bdi> </bdi> ", 1), wo = /* @__PURE__ */ q("<figure class=\"svelte-za658m\"><svg role=\"img\" aria-label=\"A typical map of the head: rows attend to columns\" font-family=\"var(--font)\" class=\"svelte-za658m\"><!><!><image preserveAspectRatio=\"none\" role=\"presentation\"></image><rect fill=\"none\" pointer-events=\"none\"></rect></svg> <figcaption aria-live=\"polite\" class=\"svelte-za658m\"><!></figcaption></figure> <!>", 1);
function To(e, t) {
	M(t, !0);
	let n = j("report"), { book: r } = n, i = /* @__PURE__ */ I(void 0), a = /* @__PURE__ */ I(null), o = /* @__PURE__ */ P(() => r.weights(t.map)), s = /* @__PURE__ */ P(() => r.document.tokens[t.map.tokens].tokens), c = /* @__PURE__ */ P(() => bo(G(o).bytes, G(o).columns, G(o).rows, n.dark).toDataURL()), l = /* @__PURE__ */ P(() => 74 + G(o).columns * 12), u = /* @__PURE__ */ P(() => 74 + G(o).rows * 12), d = /* @__PURE__ */ P(() => G(a) && t.map.scale * (G(o).bytes[G(a)[0] * G(o).columns + G(a)[1]] / 255) ** 2);
	function f(e) {
		let { left: t, top: n, width: r, height: i } = e.currentTarget.getBoundingClientRect(), s = Math.floor(G(o).rows * (e.clientY - n) / i), c = Math.floor(G(o).columns * (e.clientX - t) / r);
		L(a, s >= 0 && s < G(o).rows && c >= 0 && c < G(o).columns ? [s, c] : null);
	}
	var p = wo(), m = z(p), h = R(m);
	let g;
	var _ = R(h);
	Q(_, 17, () => ({ length: G(o).rows }), Gr, (e, t, r) => {
		var i = xo();
		$(i, "x", 69), $(i, "y", 74 + (r + .5) * 12);
		var o = B(i, !0);
		H((e) => {
			$(i, "fill", G(a)?.[0] === r ? n.colours.ink : n.colours.quiet), $(i, "font-weight", G(a)?.[0] === r ? 700 : 400), X(o, e);
		}, [() => ma(G(s)[r] ?? "", 12)]), Y(e, i);
	});
	var v = V(_);
	Q(v, 17, () => ({ length: G(o).columns }), Gr, (e, t, r) => {
		var i = So();
		$(i, "transform", `translate(${74 + (r + .5) * 12} 69) rotate(-90)`);
		var o = B(i, !0);
		H((e) => {
			$(i, "fill", G(a)?.[1] === r ? n.colours.ink : n.colours.quiet), $(i, "font-weight", G(a)?.[1] === r ? 700 : 400), X(o, e);
		}, [() => ma(G(s)[r] ?? "", 12)]), Y(e, i);
	});
	var y = V(v);
	$(y, "x", 74), $(y, "y", 74), di(y, "", {}, { "image-rendering": "pixelated" });
	var b = V(y);
	$(b, "x", 74), $(b, "y", 74), k(h), Ai(h, (e) => L(i, e), () => G(i));
	var x = V(h, 2), S = R(x), C = (e) => {
		var t = Co(), n = z(t), r = B(n, !0), i = V(n, 2), o = B(i, !0), c = V(i);
		H((e) => {
			X(r, G(s)[G(a)[0]]), X(o, G(s)[G(a)[1]]), X(c, `: ${e ?? ""}`);
		}, [() => G(d).toFixed(3)]), Y(e, t);
	}, w = (e) => {
		var n = Mr();
		H((e) => X(n, `Rows attend to columns; the strongest square is ${e ?? ""}.`), [() => t.map.scale.toFixed(2)]), Y(e, n);
	};
	Z(S, (e) => {
		G(a) && G(d) !== null ? e(C) : e(w, -1);
	}), k(x), k(m), no(V(m, 2), {
		get picture() {
			return G(i);
		},
		get name() {
			return t.name;
		}
	}), H(() => {
		$(h, "viewBox", `0 0 ${G(l) ?? ""} ${G(u) ?? ""}`), g = di(h, "", g, { "max-width": `${G(l) ?? ""}px` }), $(y, "href", G(c)), $(y, "width", G(o).columns * 12), $(y, "height", G(o).rows * 12), $(b, "width", G(o).columns * 12), $(b, "height", G(o).rows * 12), $(b, "stroke", n.colours.edge);
	}), K("pointermove", y, f), Sr("pointerleave", y, () => L(a, null)), Y(e, p), N();
}
Cr(["pointermove"]);
// src/report/Measured.svelte
var Eo = /* @__PURE__ */ q("<span class=\"measured\" tabindex=\"0\"> </span><sup class=\"note\"> </sup>", 1);
function Do(e, t) {
	M(t, !0);
	let n = Fi(t, "error", 3, !0), { book: r } = j("report"), i = /* @__PURE__ */ P(() => r.document.statistics[t.statistic]);
	var a = Eo(), o = z(a), s = B(o, !0), c = B(V(o), !0);
	H((e) => {
		$(o, "data-tells", `statistic ${t.statistic ?? ""} ${t.head ?? ""}`), X(s, e), X(c, t.statistic + 1);
	}, [() => Yi(G(i), G(i).values[t.head], n() ? G(i).stderr[t.head] : null)]), Y(e, a), N();
}
// src/report/Strip.svelte
var Oo = /* @__PURE__ */ J("<path stroke-dasharray=\"2 2\"></path>"), ko = /* @__PURE__ */ J("<path stroke-width=\"1.5\"></path>"), Ao = /* @__PURE__ */ J("<circle cy=\"11\" r=\"5\" stroke-width=\"1.5\"></circle>"), jo = /* @__PURE__ */ J("<svg class=\"strip\" aria-hidden=\"true\"><path></path><path stroke-opacity=\"0.35\"></path><!><!><!></svg>");
function Mo(e, t) {
	M(t, !0);
	let n = j("report"), { book: r } = n, [i, a] = [200, 22], o = /* @__PURE__ */ P(() => r.document.statistics[t.statistic]), s = /* @__PURE__ */ P(() => r.domain(t.statistic)), c = /* @__PURE__ */ P(() => (e) => 6 + (i - 12) * (e - G(s)[0]) / (G(s)[1] - G(s)[0])), l = r.document.heads.kind, u = /* @__PURE__ */ P(() => G(o).values.map((e, n) => e === null || l[n] !== l[t.head] ? "" : `M${G(c)(e).toFixed(1)} 6V16`).join("")), d = /* @__PURE__ */ P(() => G(o).chances?.[t.head] ?? G(o).baseline ?? null);
	var f = jo(), p = R(f), m = V(p), h = V(m), g = (e) => {
		var t = Oo();
		H((e) => {
			$(t, "d", `M${e ?? ""} 3V19`), $(t, "stroke", n.colours.quiet);
		}, [() => G(c)(0)]), Y(e, t);
	};
	Z(h, (e) => {
		G(s)[0] < 0 && e(g);
	});
	var _ = V(h), v = (e) => {
		var t = ko();
		H((e) => {
			$(t, "d", `M${e ?? ""} 2V20`), $(t, "stroke", n.colours.negative);
		}, [() => G(c)(G(d))]), Y(e, t);
	};
	Z(_, (e) => {
		G(d) !== null && G(d) <= G(s)[1] && e(v);
	});
	var y = V(_), b = (e) => {
		var r = Ao();
		H((e) => {
			$(r, "cx", e), $(r, "fill", n.colours.accent), $(r, "stroke", n.colours.page);
		}, [() => G(c)(G(o).values[t.head])]), Y(e, r);
	};
	Z(y, (e) => {
		G(o).values[t.head] !== null && e(b);
	}), k(f), H(() => {
		$(f, "viewBox", `0 0 ${i ?? ""} ${a ?? ""}`), $(f, "width", i), $(f, "height", a), $(p, "d", `M6 16H${i - 6}`), $(p, "stroke", n.colours.edge), $(m, "d", G(u)), $(m, "stroke", n.colours.quiet);
	}), Y(e, f), N();
}
// src/report/TokenShares.svelte
var No = /* @__PURE__ */ q("<tr><th scope=\"row\" class=\"svelte-1pi8sfn\"><bdi class=\"svelte-1pi8sfn\"> </bdi></th><td class=\"bar svelte-1pi8sfn\"><svg viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" aria-hidden=\"true\" class=\"svelte-1pi8sfn\"><rect y=\"1\" height=\"8\" rx=\"1\" fill-opacity=\"0.55\"></rect><rect width=\"1.2\" height=\"10\"></rect></svg></td><td class=\"svelte-1pi8sfn\"> </td><td class=\"quiet svelte-1pi8sfn\"> </td></tr>"), Po = /* @__PURE__ */ q("<button type=\"button\" class=\"more\"> </button>"), Fo = /* @__PURE__ */ q("<div><h3> </h3> <table class=\"svelte-1pi8sfn\"><thead class=\"svelte-1pi8sfn\"><tr><th scope=\"col\" class=\"svelte-1pi8sfn\">token</th><th scope=\"col\" class=\"svelte-1pi8sfn\"></th><th scope=\"col\" class=\"svelte-1pi8sfn\">here</th><th scope=\"col\" class=\"svelte-1pi8sfn\">in the text</th></tr></thead><tbody></tbody></table> <!></div>");
function Io(e, t) {
	M(t, !0);
	let n = j("report"), r = /* @__PURE__ */ I(!1), i = /* @__PURE__ */ P(() => Math.max(...t.counts.shares, ...t.counts.common, Number.MIN_VALUE)), a = /* @__PURE__ */ P(() => [...t.counts.tokens.keys()].slice(0, G(r) || n.printing ? void 0 : 12)), o = (e) => `${(100 * e).toFixed(1)} %`;
	var s = Fo(), c = R(s), l = B(c, !0), u = V(c, 2), d = V(R(u));
	Q(d, 20, () => G(a), (e) => e, (e, r) => {
		var a = No(), s = R(a), c = B(R(s), !0);
		k(s);
		var l = V(s), u = R(l), d = R(u), f = V(d);
		k(u), k(l);
		var p = V(l), m = B(p, !0), h = B(V(p), !0);
		k(a), H((e, a, o) => {
			X(c, t.counts.tokens[r]), $(d, "width", 100 * t.counts.shares[r] / G(i)), $(d, "fill", n.colours.accent), $(f, "x", e), $(f, "fill", n.colours.negative), X(m, a), X(h, o);
		}, [
			() => Math.max(0, 100 * t.counts.common[r] / G(i) - .6),
			() => o(t.counts.shares[r]),
			() => o(t.counts.common[r])
		]), Y(e, a);
	}), k(d), k(u);
	var f = V(u, 2), p = (e) => {
		var n = Po(), i = B(n);
		H(() => X(i, `${t.counts.tokens.length - 12} more`)), K("click", n, () => L(r, !0)), Y(e, n);
	};
	Z(f, (e) => {
		t.counts.tokens.length > 12 && !G(r) && e(p);
	}), k(s), H(() => X(l, t.title)), Y(e, s), N();
}
Cr(["click"]);
// src/report/Card.svelte
var Lo = /* @__PURE__ */ q("<tr class=\"svelte-vnj2f8\"><th scope=\"row\" class=\"svelte-vnj2f8\"> </th><td class=\"picture svelte-vnj2f8\"><!></td><td class=\"value svelte-vnj2f8\"><!></td><td class=\"rank svelte-vnj2f8\"> </td></tr>"), Ro = /* @__PURE__ */ q(" <sup class=\"note\"> </sup>", 1), zo = /* @__PURE__ */ q("<p class=\"dense svelte-vnj2f8\"><!>.</p>"), Bo = /* @__PURE__ */ q("<table class=\"strips svelte-vnj2f8\"><tbody class=\"svelte-vnj2f8\"></tbody></table>"), Vo = /* @__PURE__ */ q("<details class=\"svelte-vnj2f8\"><summary class=\"svelte-vnj2f8\"> <small class=\"svelte-vnj2f8\"> </small></summary> <!></details>"), Ho = /* @__PURE__ */ q("<a rel=\"prev\"> </a>"), Uo = /* @__PURE__ */ q("<a rel=\"next\"> </a>"), Wo = /* @__PURE__ */ q("<nav class=\"near svelte-vnj2f8\" aria-label=\"Heads beside it\"><!> <!></nav>"), Go = /* @__PURE__ */ q("<p class=\"svelte-vnj2f8\"><!></p>"), Ko = /* @__PURE__ */ q("<small class=\"sure svelte-vnj2f8\"> </small>"), qo = /* @__PURE__ */ q("<small class=\"svelte-vnj2f8\">else <bdi> </bdi> </small>"), Jo = /* @__PURE__ */ q("<div><dt class=\"svelte-vnj2f8\"> </dt> <dd class=\"svelte-vnj2f8\"><span tabindex=\"0\"><i class=\"svelte-vnj2f8\"></i><bdi> </bdi><!></span><sup class=\"note\"> </sup> <!></dd></div>"), Yo = /* @__PURE__ */ q("<dl class=\"named svelte-vnj2f8\"></dl>"), Xo = /* @__PURE__ */ q("<div class=\"where svelte-vnj2f8\"><!></div>"), Zo = /* @__PURE__ */ q("<tr><th scope=\"row\" class=\"svelte-vnj2f8\"> <small class=\"svelte-vnj2f8\"> </small></th><td class=\"picture svelte-vnj2f8\"><!></td><td class=\"value svelte-vnj2f8\"><span class=\"measured\" tabindex=\"0\"> </span><sup class=\"note\"> </sup></td><td class=\"rank svelte-vnj2f8\"><!><small class=\"svelte-vnj2f8\"> </small></td></tr>"), Qo = /* @__PURE__ */ q("<section><h2>Relations it tracks</h2> <table class=\"strips intervals svelte-vnj2f8\"><tbody class=\"svelte-vnj2f8\"></tbody></table></section>"), $o = /* @__PURE__ */ q("<tr><th scope=\"row\" class=\"svelte-vnj2f8\"> <small class=\"svelte-vnj2f8\"> </small></th><td class=\"picture svelte-vnj2f8\"><!></td><td class=\"value svelte-vnj2f8\"><span class=\"measured\" tabindex=\"0\"> <!></span><sup class=\"note\"> </sup></td><td class=\"rank svelte-vnj2f8\"> <small class=\"svelte-vnj2f8\"> </small></td></tr>"), es = /* @__PURE__ */ q("<section><h2>Without it</h2> <table class=\"strips intervals svelte-vnj2f8\"><tbody class=\"svelte-vnj2f8\"></tbody></table></section>"), ts = /* @__PURE__ */ q("<li><span class=\"measured\"> <bdi> </bdi></span><sup class=\"note\"> </sup><!>.</li>"), ns = /* @__PURE__ */ q("<li>In <bdi> </bdi> <span class=\"measured\"> </span><sup class=\"note\"> </sup> </li>"), rs = /* @__PURE__ */ q("<section><h2>In another model</h2> <ul><!> <!></ul></section>"), is = /* @__PURE__ */ q("<section><h2>Examples</h2> <!></section>"), as = /* @__PURE__ */ q("<section><h2>Tokens</h2> <div class=\"two svelte-vnj2f8\"><!> <!></div> <p class=\"quiet\">The bar is the token's share here; the line is its share of the text.</p></section>"), os = /* @__PURE__ */ q("<section class=\"svelte-vnj2f8\"><h2>A typical map</h2> <!></section>"), ss = /* @__PURE__ */ q("<i class=\"svelte-vnj2f8\"></i><bdi> </bdi>", 1), cs = /* @__PURE__ */ q("<li class=\"svelte-vnj2f8\"><a> </a> <span><!></span> <span class=\"measured\"> </span></li>"), ls = /* @__PURE__ */ q("<section class=\"svelte-vnj2f8\"><h2>Heads most like it</h2> <ul class=\"alike svelte-vnj2f8\"></ul> <p class=\"quiet\">Jensen-Shannon divergence, 0 for heads that do the same<!>.</p></section>"), us = /* @__PURE__ */ q("<div class=\"two ending svelte-vnj2f8\"><!> <!></div>"), ds = /* @__PURE__ */ q("<section><h2>Everything else that was measured</h2> <!></section>"), fs = /* @__PURE__ */ q("<p class=\"tools svelte-vnj2f8\"><button type=\"button\">Card as Markdown</button> <button type=\"button\">Print, or save as PDF</button></p>"), ps = /* @__PURE__ */ q("<article><header class=\"svelte-vnj2f8\"><div><p class=\"over svelte-vnj2f8\"> </p> <h1 tabindex=\"-1\" class=\"svelte-vnj2f8\"> </h1></div> <!></header> <div class=\"lead svelte-vnj2f8\"><div class=\"sentences svelte-vnj2f8\"><!> <!></div> <!></div> <section><h2>Where it looks</h2> <p class=\"quiet legend svelte-vnj2f8\">A tick is a head, the dot is this one<!>.</p> <table class=\"strips svelte-vnj2f8\"><tbody class=\"svelte-vnj2f8\"></tbody></table> <!></section> <!> <!> <!> <!> <!> <!> <!> <!></article>");
function ms(e, t) {
	M(t, !0);
	let n = (e, n = d) => {
		var r = Lo(), i = R(r), a = B(i, !0), c = V(i);
		Mo(R(c), {
			get statistic() {
				return n();
			},
			get head() {
				return t.head;
			}
		}), k(c);
		var l = V(c);
		Do(R(l), {
			get statistic() {
				return n();
			},
			get head() {
				return t.head;
			}
		}), k(l);
		var u = B(V(l), !0);
		k(r), H((e) => {
			$(i, "data-tells", `statistic ${n() ?? ""} ${t.head ?? ""}`), X(a, s[n()].title), X(u, e);
		}, [() => o.rankText(n(), t.head)]), Y(e, r);
	}, r = (e, r = d, a = d) => {
		var o = Vo(), c = R(o), l = R(c), u = B(V(l), !0);
		k(c);
		var f = V(c, 2), p = (e) => {
			var n = zo();
			Q(R(n), 18, a, (e) => e, (e, n, r) => {
				Te();
				var i = Ro(), a = z(i), o = B(V(a), !0);
				H((e) => {
					X(a, `${G(r) ? "; " : ""}${s[n].title ?? ""} ${e ?? ""}`), X(o, n + 1);
				}, [() => Yi(s[n], s[n].values[t.head], s[n].stderr[t.head])]), Y(e, i);
			}), Te(), k(n), Y(e, n);
		}, m = (e) => {
			var t = Bo(), r = R(t);
			Q(r, 20, a, (e) => e, (e, t) => {
				n(e, () => t);
			}), k(r), k(t), Y(e, t);
		};
		Z(f, (e) => {
			i() ? e(p) : w[r()] && e(m, 1);
		}), k(o), H(() => {
			o.open = i() || w[r()] || void 0, X(l, `${r() ?? ""} `), X(u, a().length);
		}), Sr("toggle", o, (e) => w[r()] = e.currentTarget.open), Y(e, o);
	}, i = Fi(t, "printed", 3, !1), a = j("report"), { book: o } = a, { statistics: s, names: c, model: l, heads: u, cards: f, chapters: p } = o.document, m = /* @__PURE__ */ P(() => f[t.head]), g = /* @__PURE__ */ P(() => o.address(t.head)), _ = /* @__PURE__ */ P(() => l.grids.find(({ kind: e }) => e === u.kind[t.head])), v = /* @__PURE__ */ P(() => [...s.keys()].filter((e) => s[e].values[t.head] !== null)), y = /* @__PURE__ */ P(() => G(v).filter((e) => s[e].overview)), b = {
		surface: "More on where it looks",
		pattern: "Patterns and shapes",
		link: "All relations",
		gradient: "Gradients",
		distance: "Distance from other heads",
		weight: "Weights",
		effect: "Effects"
	}, x = /* @__PURE__ */ P(() => G(v).filter((e) => !G(y).includes(e) && s[e].name !== "pattern_null" && !(s[e].family === "effect" && G(m).effects.length > 0))), S = /* @__PURE__ */ P(() => [...new Set(G(x).map((e) => s[e].family))].map((e) => ({
		family: e,
		title: b[e] ?? e,
		members: G(x).filter((t) => s[t].family === e)
	}))), C = /* @__PURE__ */ P(() => c.flatMap((e) => {
		let n = o.name(e, t.head), r = e.second[t.head] === null ? null : e.choices[e.second[t.head]];
		return n ? [{
			each: e,
			choice: n,
			second: r
		}] : [];
	})), w = Xt({}), ee = /* @__PURE__ */ P(() => Math.max(1e-9, ...G(m).effects.flatMap(({ change: e, low: t, high: n }) => [
		e,
		t ?? 0,
		n ?? 0
	].map(Math.abs)))), te = (e) => e === null ? "" : `${Math.round(100 * e)} %`, ne = /* @__PURE__ */ P(() => `attlas-head-${G(g)}`);
	var re = ps();
	let ie;
	var ae = R(re), T = R(ae), oe = R(T), se = B(oe), ce = V(oe, 2), le = B(ce);
	k(T);
	var ue = V(T, 2), de = (e) => {
		var n = Wo(), r = R(n), i = (e) => {
			var n = Ho(), r = B(n);
			H((e, t) => {
				$(n, "href", e), X(r, `← ${t ?? ""}`);
			}, [() => a.link(t.head - 1), () => o.address(t.head - 1)]), Y(e, n);
		};
		Z(r, (e) => {
			t.head > 0 && e(i);
		});
		var s = V(r, 2), c = (e) => {
			var n = Uo(), r = B(n);
			H((e, t) => {
				$(n, "href", e), X(r, `${t ?? ""} →`);
			}, [() => a.link(t.head + 1), () => o.address(t.head + 1)]), Y(e, n);
		};
		Z(s, (e) => {
			t.head + 1 < o.count && e(c);
		}), k(n), Y(e, n);
	};
	Z(ue, (e) => {
		i() || e(de);
	}), k(ae);
	var fe = V(ae, 2), pe = R(fe), me = R(pe);
	Q(me, 17, () => G(m).sentences, Gr, (e, t) => {
		var n = Go();
		Na(R(n), { get sentence() {
			return G(t);
		} }), k(n), Y(e, n);
	});
	var he = V(me, 2), ge = (e) => {
		var n = Yo();
		Q(n, 21, () => G(C), ({ each: e, choice: t, second: n }) => e.kind, (e, n) => {
			let r = () => G(n).each, i = () => G(n).choice, o = () => G(n).second;
			var s = Jo(), c = R(s), l = B(c, !0), u = V(c, 2), d = R(u), f = R(d);
			let p;
			var m = V(f), h = B(m, !0), g = V(m), _ = (e) => {
				var n = Ko(), i = B(n);
				H((e) => X(i, `${e ?? ""} sure`), [() => te(r().confidence[t.head])]), Y(e, n);
			};
			Z(g, (e) => {
				r().confidence[t.head] !== null && i().name !== "none" && e(_);
			}), k(d);
			var v = V(d), y = B(v, !0), b = V(v, 2), x = (e) => {
				var n = qo(), i = V(R(n)), a = B(i, !0), s = V(i);
				k(n), H((e) => {
					X(a, o().title), X(s, ` ${e ?? ""}`);
				}, [() => te(r().second_confidence[t.head])]), Y(e, n);
			};
			Z(b, (e) => {
				o() && (r().second_confidence[t.head] ?? 0) >= .05 && e(x);
			}), k(u), k(s), H((e) => {
				X(l, r().title), $(d, "data-tells", `chapter ${r().chapter ?? ""}`), p = di(f, "", p, { background: a.dark ? i().dark : i().light }), X(h, i().title), X(y, e);
			}, [() => la(r().chapter)]), Y(e, s);
		}), k(n), Y(e, n);
	};
	Z(he, (e) => {
		G(C).length > 0 && e(ge);
	}), k(pe);
	var E = V(pe, 2), _e = (e) => {
		var n = Xo();
		lo(R(n), {
			get grid() {
				return G(_);
			},
			get chosen() {
				return t.head;
			},
			small: !0
		}), k(n), Y(e, n);
	};
	Z(E, (e) => {
		i() || e(_e);
	}), k(fe);
	var ve = V(fe, 2), ye = V(R(ve), 2), be = V(R(ye)), xe = (e) => {
		Y(e, Mr("; the orange line is chance or a baseline"));
	}, D = /* @__PURE__ */ P(() => s.some(({ chances: e, baseline: t }) => e || t !== void 0));
	Z(be, (e) => {
		G(D) && e(xe);
	}), Te(), k(ye);
	var Se = V(ye, 2), O = R(Se);
	Q(O, 20, () => G(y), (e) => e, (e, t) => {
		n(e, () => t);
	}), k(O), k(Se), Q(V(Se, 2), 17, () => G(S).filter(({ family: e }) => e === "surface"), ({ title: e, members: t }) => e, (e, t) => {
		r(e, () => G(t).title, () => G(t).members);
	}), k(ve);
	var Ce = V(ve, 2), we = (e) => {
		var t = Qo(), n = V(R(t), 2), r = R(n);
		Q(r, 21, () => G(m).relations, Gr, (e, t) => {
			var n = Zo();
			let r;
			var i = R(n), a = R(i, !0), o = B(V(a), !0);
			k(i);
			var s = V(i);
			mo(R(s), {
				get value() {
					return G(t).value;
				},
				get low() {
					return G(t).low;
				},
				get high() {
					return G(t).high;
				},
				get against() {
					return G(t).baseline;
				},
				from: 0,
				to: 1
			}), k(s);
			var c = V(s), l = R(c), u = B(l, !0), d = B(V(l), !0);
			k(c);
			var f = V(c), p = R(f), m = (e) => {
				var n = Mr();
				H((e) => X(n, `${G(t).baseline_title ?? ""}: ${e ?? ""}`), [() => te(G(t).baseline)]), Y(e, n);
			};
			Z(p, (e) => {
				G(t).baseline !== null && e(m);
			});
			var h = B(V(p), !0);
			k(f), k(n), H((e, i, s) => {
				r = li(n, 1, "svelte-vnj2f8", null, r, { unsure: !G(t).sure }), X(a, G(t).title), X(o, G(t).way), $(l, "data-tells", `chapter ${G(t).chapter ?? ""}`), X(u, e), X(d, i), X(h, s);
			}, [
				() => aa(G(t).value, G(t).low, G(t).high),
				() => la(G(t).chapter),
				() => [
					G(t).sure ? "" : "could be chance",
					oa(G(t).p),
					`n = ${G(t).n}`
				].filter(Boolean).join(", ")
			]), Y(e, n);
		}), k(r), k(n), k(t), Y(e, t);
	};
	Z(Ce, (e) => {
		G(m).relations.length > 0 && e(we);
	});
	var Ee = V(Ce, 2), De = (e) => {
		var t = es(), n = V(R(t), 2), r = R(n);
		Q(r, 21, () => G(m).effects, Gr, (e, t) => {
			var n = $o();
			let r;
			var i = R(n), a = R(i, !0), o = B(V(a), !0);
			k(i);
			var s = V(i), c = R(s);
			{
				let e = /* @__PURE__ */ P(() => -G(ee));
				mo(c, {
					get value() {
						return G(t).change;
					},
					get low() {
						return G(t).low;
					},
					get high() {
						return G(t).high;
					},
					against: 0,
					get from() {
						return G(e);
					},
					get to() {
						return G(ee);
					}
				});
			}
			k(s);
			var l = V(s), u = R(l), d = R(u, !0), f = V(d), p = (e) => {
				var n = Mr();
				H((e, t) => X(n, ` (95 %: ${e ?? ""} to ${t ?? ""})`), [() => ra(G(t).low), () => ra(G(t).high)]), Y(e, n);
			};
			Z(f, (e) => {
				G(t).low !== null && G(t).high !== null && e(p);
			}), k(u);
			var m = B(V(u), !0);
			k(l);
			var h = V(l), g = R(h), _ = B(V(g), !0);
			k(h), k(n), H((e, i, s, c, l) => {
				r = li(n, 1, "svelte-vnj2f8", null, r, { unsure: G(t).p === null || G(t).p >= .05 }), X(a, G(t).score), X(o, G(t).edit_title), $(u, "data-tells", `chapter ${G(t).chapter ?? ""}`), X(d, e), X(m, i), X(g, `${s ?? ""} → ${c ?? ""}`), X(_, l);
			}, [
				() => ra(G(t).change),
				() => la(G(t).chapter),
				() => ea(G(t).plain, 4),
				() => ea(G(t).disabled, 4),
				() => [oa(G(t).p), `n = ${G(t).n}`].filter(Boolean).join(", ")
			]), Y(e, n);
		}), k(r), k(n), k(t), Y(e, t);
	};
	Z(Ee, (e) => {
		G(m).effects.length > 0 && e(De);
	});
	var Oe = V(Ee, 2), ke = (e) => {
		var t = rs(), n = V(R(t), 2), r = R(n);
		Q(r, 17, () => G(m).changes, Gr, (e, t) => {
			let n = () => G(t).chapter, r = () => G(t).other, i = () => G(t).title, a = () => G(t).first, o = () => G(t).second, s = () => G(t).low, c = () => G(t).high, l = () => G(t).p;
			var u = ts(), d = R(u), f = R(d), p = B(V(f), !0);
			k(d);
			var m = V(d), h = B(m, !0), g = V(m), _ = (e) => {
				var t = Mr();
				H((e, n, r) => X(t, ` (95 % of the change: ${e ?? ""} to ${n ?? ""}${r ?? ""})`), [
					() => ra(s()),
					() => ra(c()),
					() => l() === null ? "" : `; ${oa(l())}`
				]), Y(e, t);
			};
			Z(g, (e) => {
				s() !== null && c() !== null && e(_);
			}), Te(), k(u), H((e, t, a) => {
				$(d, "data-tells", `chapter ${n() ?? ""}`), X(f, `${i() ?? ""}: ${e ?? ""} here, ${t ?? ""} in `), X(p, r()), X(h, a);
			}, [
				() => a() === null ? "–" : ea(a()),
				() => o() === null ? "–" : ea(o()),
				() => la(n())
			]), Y(e, u);
		}), Q(V(r, 2), 17, () => G(m).matches, Gr, (e, t) => {
			let n = () => G(t).chapter, r = () => G(t).other, i = () => G(t).layer, a = () => G(t).head, o = () => G(t).distance, s = () => G(t).own_distance;
			var c = ns(), l = V(R(c)), u = B(l, !0), d = V(l), f = V(d), p = B(f), m = V(f), h = B(m, !0), g = V(m);
			k(c), H((e, t, o) => {
				X(u, r()), X(d, `, head ${i() ?? ""}.${a() ?? ""} does most nearly the same: `), $(f, "data-tells", `chapter ${n() ?? ""}`), X(p, `${e ?? ""} nats apart`), X(h, t), X(g, `${o ?? ""}.`);
			}, [
				() => ea(o()),
				() => la(n()),
				() => s() === null ? "" : ` (the head of the same address: ${ea(s())})`
			]), Y(e, c);
		}), k(n), k(t), Y(e, t);
	};
	Z(Oe, (e) => {
		(G(m).changes.length > 0 || G(m).matches.length > 0) && e(ke);
	});
	var Ae = V(Oe, 2), je = (e) => {
		var t = is();
		eo(V(R(t), 2), { get examples() {
			return G(m).examples;
		} }), k(t), Y(e, t);
	};
	Z(Ae, (e) => {
		G(m).examples.kind.length > 0 && e(je);
	});
	var Me = V(Ae, 2), Ne = (e) => {
		var t = as(), n = V(R(t), 2), r = R(n), i = (e) => {
			Io(e, {
				title: "It looks from",
				get counts() {
					return G(m).looks_from;
				}
			});
		};
		Z(r, (e) => {
			G(m).looks_from && e(i);
		});
		var a = V(r, 2), o = (e) => {
			Io(e, {
				title: "It looks at",
				get counts() {
					return G(m).looks_at;
				}
			});
		};
		Z(a, (e) => {
			G(m).looks_at && e(o);
		}), k(n), Te(2), k(t), Y(e, t);
	};
	Z(Me, (e) => {
		(G(m).looks_from || G(m).looks_at) && e(Ne);
	});
	var Pe = V(Me, 2), Fe = (e) => {
		var t = us(), n = R(t), r = (e) => {
			var t = os();
			To(V(R(t), 2), {
				get map() {
					return G(m).map;
				},
				get name() {
					return `head-${G(g) ?? ""}`;
				}
			}), k(t), Y(e, t);
		};
		Z(n, (e) => {
			G(m).map && e(r);
		});
		var i = V(n, 2), s = (e) => {
			var t = ls(), n = V(R(t), 2);
			Q(n, 21, () => G(m).alike, ([e, t]) => e, (e, t) => {
				var n = /* @__PURE__ */ P(() => h(G(t), 2));
				let r = () => G(n)[0], i = () => G(n)[1], s = /* @__PURE__ */ P(() => o.calledFirst(r()));
				var c = cs(), l = R(c), u = B(l, !0), d = V(l, 2), f = R(d), p = (e) => {
					var t = ss(), n = z(t);
					let r;
					var i = B(V(n), !0);
					H(() => {
						r = di(n, "", r, { background: a.dark ? G(s).dark : G(s).light }), X(i, G(s).title);
					}), Y(e, t);
				};
				Z(f, (e) => {
					G(s) && e(p);
				}), k(d);
				var g = V(d, 2), _ = B(g);
				k(c), H((e, t, n) => {
					$(l, "href", e), $(l, "data-tells", `head ${r() ?? ""}`), X(u, t), $(g, "data-tells", `chapter ${G(m).alike_chapter ?? 0 ?? ""}`), X(_, `${n ?? ""} nats`);
				}, [
					() => a.link(r()),
					() => o.address(r()),
					() => ea(i())
				]), Y(e, c);
			}), k(n);
			var r = V(n, 2), i = V(R(r)), s = (e) => {
				var t = Mr();
				H((e) => X(t, `: ${e ?? ""}`), [() => p[G(m).alike_chapter].title.toLowerCase()]), Y(e, t);
			};
			Z(i, (e) => {
				G(m).alike_chapter !== null && e(s);
			}), Te(), k(r), k(t), Y(e, t);
		};
		Z(i, (e) => {
			G(m).alike.length > 0 && e(s);
		}), k(t), Y(e, t);
	};
	Z(Pe, (e) => {
		(G(m).map || G(m).alike.length > 0) && e(Fe);
	});
	var Ie = V(Pe, 2), Le = (e) => {
		var t = ds();
		Q(V(R(t), 2), 17, () => G(S).filter(({ family: e }) => e !== "surface"), ({ title: e, members: t }) => e, (e, t) => {
			r(e, () => G(t).title, () => G(t).members);
		}), k(t), Y(e, t);
	}, Re = /* @__PURE__ */ P(() => G(S).some(({ family: e }) => e !== "surface"));
	Z(Ie, (e) => {
		G(Re) && e(Le);
	});
	var ze = V(Ie, 2), Be = (e) => {
		var n = fs(), r = R(n), i = V(r, 2);
		k(n), K("click", r, () => ha(new Blob([xa(o, t.head)], { type: "text/markdown" }), `head-${G(g)}.md`)), K("click", i, () => window.print()), Y(e, n);
	};
	Z(ze, (e) => {
		i() || e(Be);
	}), k(re), H(() => {
		$(re, "aria-labelledby", G(ne)), ie = li(re, 1, "svelte-vnj2f8", null, ie, { printed: i() }), X(se, `${l.grids.length > 1 ? `${u.kind[t.head]} · ` : ""}layer ${u.layer[t.head] ?? ""}, head ${u.head[t.head] ?? ""}`), $(ce, "id", G(ne)), X(le, `Head ${G(g) ?? ""}`);
	}), Y(e, re), N();
}
Cr(["click"]);
// src/report/conditions.ts
var hs = /^([^\s:<>=]+)(>=|<=|:|>|<|=)(.+)$/, gs = () => !1;
function _s(e, t) {
	let n = [], r = [];
	for (let i of e.trim().split(/\s+/).filter(Boolean)) {
		let e = hs.exec(i);
		e ? r.push(vs(i, e[1].toLowerCase(), e[2], e[3], t)) : n.push(i);
	}
	return {
		words: n.join(" "),
		conditions: r
	};
}
function vs(e, t, n, r, i) {
	let a = (t, n = null) => ({
		written: e,
		problem: "",
		holds: t,
		statistic: n
	}), o = (t) => ({
		written: e,
		problem: t,
		holds: gs,
		statistic: null
	}), { heads: s } = i.document;
	if (t === "layer" || t === "head") {
		if (t === "head" && /\./.test(r)) return a((e) => s.address[e] === r);
		let e = ys(n, r);
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
	let u = ys(n, r);
	if (!u) return o(`write ${t}>0.1, ${t}<0.1 or ${t}:0.1-0.2`);
	let { values: d } = i.document.statistics[l];
	return a((e) => d[e] !== null && u(d[e]), l);
}
function ys(e, t) {
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
function bs(e, t, n = 8) {
	let r = /\S*$/.exec(e)[0].toLowerCase();
	if (!r) return [];
	let i = r.includes(":") ? xs(r, t) : Ss(t), a = i.filter((e) => e.text.toLowerCase().startsWith(r) && e.text.toLowerCase() !== r), o = i.filter((e) => !a.includes(e) && r.length > 2 && e.text.toLowerCase() !== r && `${e.text} ${e.about}`.toLowerCase().includes(r));
	return [...a, ...o].slice(0, n);
}
function xs(e, t) {
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
function Ss(e) {
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
var Cs = /* @__PURE__ */ q("<li role=\"option\" class=\"svelte-1oli9vr\"><bdi> </bdi> <span class=\"svelte-1oli9vr\"> </span></li>"), ws = /* @__PURE__ */ q("<ul id=\"attlas-offered\" role=\"listbox\" aria-label=\"Completions\" class=\"svelte-1oli9vr\"></ul>"), Ts = /* @__PURE__ */ q("<div class=\"finder svelte-1oli9vr\" role=\"search\"><input type=\"search\" placeholder=\"Find heads: object, previous token, pattern:induction, layer:3-5 …\" aria-label=\"Find heads by words or conditions\" role=\"combobox\" aria-controls=\"attlas-offered\" aria-autocomplete=\"list\" autocomplete=\"off\" spellcheck=\"false\" class=\"svelte-1oli9vr\"/> <!></div>");
function Es(e, t) {
	M(t, !0);
	let n = j("report"), r, i = /* @__PURE__ */ I(!1), a = /* @__PURE__ */ I(-1), o = /* @__PURE__ */ P(() => n.route.head ? "" : n.route.find), s = /* @__PURE__ */ P(() => G(i) ? bs(G(o), n.book) : []);
	function c(e) {
		let t = !n.route.find || n.route.head;
		n.go({
			head: "",
			find: e,
			...n.route.head ? { sort: "" } : {}
		}, t ? "push" : "replace");
	}
	async function l(e) {
		c(G(o).replace(/\S*$/, e) + (/[:>]$/.test(e) ? "" : " ")), L(a, -1), L(i, /[:>]$/.test(e), !0), await ur(), r.focus();
	}
	function u(e) {
		if (e.key === "ArrowDown" || e.key === "ArrowUp") {
			if (G(s).length === 0) return;
			e.preventDefault(), L(a, (G(a) + (e.key === "ArrowDown" ? 1 : -1) + G(s).length + 1) % (G(s).length + 1)), G(a) === G(s).length && L(a, -1);
		} else e.key === "Enter" && G(a) >= 0 && G(s)[G(a)] || e.key === "Tab" && G(a) >= 0 && G(s)[G(a)] ? (e.preventDefault(), l(G(s)[G(a)].text)) : e.key === "Escape" && (G(s).length > 0 ? L(i, !1) : c(""));
	}
	function d(e) {
		e.key !== "/" || e.target instanceof HTMLInputElement || e.target instanceof HTMLSelectElement || (e.preventDefault(), r.focus());
	}
	var f = Ts();
	Sr("keydown", $t, d);
	var p = R(f);
	Si(p), Ai(p, (e) => r = e, () => r);
	var m = V(p, 2), h = (e) => {
		var t = ws();
		Q(t, 23, () => G(s), ({ text: e, about: t }) => e, (e, t, n) => {
			let r = () => G(t).text, i = () => G(t).about;
			var o = Cs(), s = R(o), c = B(s, !0), u = B(V(s, 2), !0);
			k(o), H(() => {
				$(o, "id", `attlas-offered-${G(n) ?? ""}`), $(o, "aria-selected", G(n) === G(a)), X(c, r()), X(u, i());
			}), K("pointerdown", o, (e) => e.preventDefault()), K("click", o, () => l(r())), Y(e, o);
		}), k(t), Y(e, t);
	};
	Z(m, (e) => {
		G(s).length > 0 && e(h);
	}), k(f), H(() => {
		Ci(p, G(o)), $(p, "aria-expanded", G(s).length > 0), $(p, "aria-activedescendant", G(a) >= 0 ? `attlas-offered-${G(a)}` : void 0);
	}), K("input", p, (e) => {
		c(e.currentTarget.value), L(i, !0), L(a, -1);
	}), Sr("blur", p, () => L(i, !1)), K("keydown", p, u), Y(e, f), N();
}
Cr([
	"input",
	"keydown",
	"pointerdown",
	"click"
]);
// src/report/Command.svelte
var Ds = /* @__PURE__ */ q("<span class=\"command svelte-ehi4xr\"><code class=\"svelte-ehi4xr\"> </code> <button type=\"button\" aria-label=\"Copy the command\"> </button></span>");
function Os(e, t) {
	let n = /* @__PURE__ */ I(!1);
	async function r() {
		await navigator.clipboard.writeText(t.command), L(n, !0), setTimeout(() => L(n, !1), 2e3);
	}
	var i = Ds(), a = R(i), o = B(a, !0), s = V(a, 2), c = B(s, !0);
	k(i), H(() => {
		X(o, t.command), X(c, G(n) ? "copied" : "copy");
	}), K("click", s, r), Y(e, i);
}
Cr(["click"]);
// src/report/Origins.svelte
var ks = /* @__PURE__ */ q("<li class=\"svelte-1fvkphp\"> <!></li>"), As = /* @__PURE__ */ q("<section aria-labelledby=\"attlas-missing\"><h2 id=\"attlas-missing\">Not measured</h2> <ul class=\"missing svelte-1fvkphp\"></ul></section>"), js = /* @__PURE__ */ q("from <bdi> </bdi>", 1), Ms = /* @__PURE__ */ q("<span class=\"letter svelte-1fvkphp\"> </span>"), Ns = /* @__PURE__ */ q("<p class=\"quiet svelte-1fvkphp\"> </p>"), Ps = /* @__PURE__ */ q("<div class=\"chapter svelte-1fvkphp\"><h3><!> </h3> <p class=\"svelte-1fvkphp\"> </p> <!> <!> <details><summary class=\"svelte-1fvkphp\">Settings and versions</summary> <p class=\"settings svelte-1fvkphp\"> </p></details></div>"), Fs = /* @__PURE__ */ q("<span class=\"svelte-1fvkphp\"><sup> </sup> <strong class=\"svelte-1fvkphp\"> </strong> <code class=\"svelte-1fvkphp\"> </code></span>"), Is = /* @__PURE__ */ q("<li class=\"svelte-1fvkphp\"><!><br/> </li>"), Ls = /* @__PURE__ */ q("<!> <section aria-labelledby=\"attlas-origins\"><h2 id=\"attlas-origins\">Where it comes from</h2> <p class=\"svelte-1fvkphp\"><bdi> </bdi> <code class=\"svelte-1fvkphp\"> </code>, configuration <code class=\"svelte-1fvkphp\"> </code> <!>. To make it again:</p> <!> <!></section> <section aria-labelledby=\"attlas-definitions\"><h2 id=\"attlas-definitions\">How each number was measured</h2> <details><summary class=\"svelte-1fvkphp\"> </summary> <ol class=\"definitions svelte-1fvkphp\"></ol></details></section> <p class=\"tools svelte-1fvkphp\"><button type=\"button\">Everything as JSON</button> <button type=\"button\">Print everything, or save as PDF</button></p>", 1);
function Rs(e, t) {
	M(t, !0);
	let n = j("report"), { book: r } = n, { chapters: i, made: a, model: o, missing: s, statistics: c } = r.document, l = d(), u = /* @__PURE__ */ P(() => n.printing !== "");
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
	var f = Ls(), p = z(f), m = (e) => {
		var t = As(), n = V(R(t), 2);
		Q(n, 21, () => s, ({ what: e, why: t, command: n }) => e, (e, t) => {
			let n = () => G(t).what, r = () => G(t).why, i = () => G(t).command;
			var a = ks(), o = R(a);
			Os(V(o), { get command() {
				return i();
			} }), k(a), H(() => X(o, `${n() ?? ""}${r() ? `: ${r()}` : ""}`)), Y(e, a);
		}), k(n), k(t), Y(e, t);
	};
	Z(p, (e) => {
		s.length > 0 && e(m);
	});
	var h = V(p, 2), g = V(R(h), 2), _ = R(g), v = B(_, !0), y = V(_), b = V(y), x = B(b, !0), S = V(b, 2), C = B(S, !0), w = V(S), ee = V(w), te = (e) => {
		var t = js(), n = B(V(z(t)), !0);
		H(() => X(n, a.atlas)), Y(e, t);
	};
	Z(ee, (e) => {
		a.atlas && e(te);
	}), Te(), k(g);
	var ne = V(g, 2);
	Os(ne, { get command() {
		return a.command;
	} }), Q(V(ne, 2), 19, () => i, (e) => e.name, (e, t, n) => {
		var r = Ps(), i = R(r), a = R(i), o = (e) => {
			var t = Ms(), r = B(t, !0);
			H((e) => X(r, e), [() => la(G(n))]), Y(e, t);
		};
		Z(a, (e) => {
			G(u) && e(o);
		});
		var s = V(a, 1, !0);
		k(i);
		var c = V(i, 2), l = B(c), d = V(c, 2);
		Q(d, 17, () => G(t).notes, Gr, (e, t) => {
			var n = Ns(), r = B(n, !0);
			H(() => X(r, G(t))), Y(e, n);
		});
		var f = V(d, 2);
		Os(f, { get command() {
			return G(t).command;
		} });
		var p = V(f, 2), m = B(V(R(p), 2), !0);
		k(p), k(r), H((e, n, i) => {
			$(r, "id", `chapter-${G(t).name ?? ""}`), X(s, G(t).title), X(l, `${e ?? ""}. ${G(t).when ?? ""}${n ?? ""}.`), p.open = G(u) || void 0, X(m, i);
		}, [
			() => [...G(t).read, G(t).documents === null ? "" : sa(G(t).documents, "document")].filter(Boolean).join(", "),
			() => G(t).seconds === null ? "" : `, ${Math.round(G(t).seconds)} s`,
			() => Object.entries({
				...G(t).settings,
				...G(t).software
			}).map(([e, t]) => `${e} ${t}`).join(" · ")
		]), Y(e, r);
	}), k(h);
	var re = V(h, 2), ie = V(R(re), 2), ae = R(ie), T = B(ae, !0), oe = V(ae, 2);
	Q(oe, 21, () => l, ({ note: e, members: t }) => t[0], (e, t) => {
		let n = () => G(t).note, r = () => G(t).members;
		var i = Is(), a = R(i);
		Q(a, 16, r, (e) => e, (e, t) => {
			var n = Fs(), r = R(n), i = B(r, !0), a = V(r, 2), o = B(a, !0), s = B(V(a, 2), !0);
			k(n), H(() => {
				X(i, t + 1), X(o, c[t].title), X(s, c[t].key);
			}), Y(e, n);
		});
		var o = V(a, 2, !0);
		k(i), H(() => X(o, n())), Y(e, i);
	}), k(oe), k(ie), k(re);
	var se = V(re, 2), ce = R(se), le = V(ce, 2);
	k(se), H((e, t, n) => {
		X(v, o.name), X(y, `, ${o.type ?? ""}, ${o.dtype ?? ""}. Weights `), X(x, e), X(C, t), X(w, `. The page was made by Attlas ${a.attlas ?? ""} on ${a.when ?? ""} `), ie.open = G(u) || void 0, X(T, n);
	}, [
		() => o.weights.slice(0, 16),
		() => o.config.slice(0, 16),
		() => sa(c.length, "statistic")
	]), K("click", ce, () => ha(new Blob([JSON.stringify(r.document)], { type: "application/json" }), `${o.title.replace(/[^\w.-]+/g, "-")}-report.json`)), K("click", le, () => window.print()), Y(e, f), N();
}
Cr(["click"]);
// src/report/Choice.svelte
var zs = /* @__PURE__ */ q("<option>Likeness, as a map</option>"), Bs = /* @__PURE__ */ q("<option> </option>"), Vs = /* @__PURE__ */ q("<optgroup label=\"Names\"></optgroup>"), Hs = /* @__PURE__ */ q("<optgroup></optgroup>"), Us = /* @__PURE__ */ q("<label class=\"choice svelte-gvvuan\"><span> </span> <select class=\"svelte-gvvuan\"><!><!><!></select></label>");
function Ws(e, t) {
	M(t, !0);
	let n = Fi(t, "names", 3, !1), r = Fi(t, "plane", 3, !1), { document: i } = j("report").book, a = {
		surface: "Where it looks",
		pattern: "Patterns and shapes",
		link: "Relations of grammar",
		effect: "Disabling",
		gradient: "Gradients",
		distance: "Likeness",
		weight: "Weights"
	}, o = [...new Set(i.statistics.map(({ family: e }) => e))];
	var s = Us(), c = R(s), l = B(c, !0), u = V(c, 2), d = R(u), f = (e) => {
		var t = zs();
		t.value = t.__value = "plane", Y(e, t);
	};
	Z(d, (e) => {
		r() && e(f);
	});
	var p = V(d), m = (e) => {
		var t = Vs();
		Q(t, 21, () => i.names, ({ kind: e, title: t }) => e, (e, t) => {
			let n = () => G(t).kind, r = () => G(t).title;
			var i = Bs(), a = B(i, !0), o = {};
			H(() => {
				X(a, r()), o !== (o = n()) && (i.value = (i.__value = o) ?? "");
			}), Y(e, i);
		}), k(t), Y(e, t);
	};
	Z(p, (e) => {
		n() && i.names.length > 0 && e(m);
	}), Q(V(p), 16, () => o, (e) => e, (e, t) => {
		var n = Hs();
		Q(n, 21, () => i.statistics.filter((e) => e.family === t), ({ key: e, title: t }) => e, (e, t) => {
			let n = () => G(t).key, r = () => G(t).title;
			var i = Bs(), a = B(i, !0), o = {};
			H(() => {
				X(a, r()), o !== (o = n()) && (i.value = (i.__value = o) ?? "");
			}), Y(e, i);
		}), k(n), H(() => $(n, "label", a[t] ?? t)), Y(e, n);
	}), k(u);
	var h;
	hi(u), k(s), H(() => {
		X(l, t.label), h !== (h = t.value) && (u.value = (u.__value = h) ?? "", mi(u, h));
	}), K("change", u, (e) => t.onchoose(e.currentTarget.value)), Y(e, s), N();
}
// node_modules/svelte/src/internal/flags/legacy.js
Cr(["change"]), We();
// src/report/Layers.svelte
var Gs = /* @__PURE__ */ q("<small class=\"svelte-tp15s0\"> </small>"), Ks = /* @__PURE__ */ J("<circle><title> </title></circle>"), qs = /* @__PURE__ */ q("<figure class=\"svelte-tp15s0\"><figcaption class=\"svelte-tp15s0\"><span tabindex=\"0\"> </span><sup class=\"note\"> </sup><!></figcaption> <svg role=\"img\" class=\"svelte-tp15s0\"><path></path><path fill-opacity=\"0.14\"></path><path fill=\"none\" stroke-width=\"2\" stroke-linejoin=\"round\"></path><!></svg> <p class=\"svelte-tp15s0\"><span>0</span><span> </span><span> </span></p></figure>"), Js = /* @__PURE__ */ q("<div class=\"multiples svelte-tp15s0\"></div> <p class=\"quiet svelte-tp15s0\">Each line is the mean over the heads of a layer; the band is one standard error of that mean.</p>", 1);
function Ys(e, t) {
	M(t, !1);
	let n = j("report"), { book: r } = n, { layers: i, statistics: a, model: o } = r.document, [s, c] = [240, 76], l = i.filter(({ means: e }) => new Set(e.filter((e) => e !== null)).size > 1);
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
	var d = Js(), f = z(d);
	Q(f, 5, () => l, Gr, (e, t) => {
		let r = /* @__PURE__ */ ht(() => u(G(t))), i = /* @__PURE__ */ ht(() => a[G(t).statistic]);
		var l = qs(), d = R(l), f = R(d), p = B(f, !0), m = V(f), h = B(m, !0), g = V(m), _ = (e) => {
			var n = Gs(), r = B(n, !0);
			H(() => X(r, G(t).kind)), Y(e, n);
		};
		Z(g, (e) => {
			o.grids.length > 1 && e(_);
		}), k(d);
		var v = V(d, 2), y = R(v), b = V(y), x = V(b);
		Q(V(x), 1, () => G(r).known, ({ layer: e, mean: t }) => e, (e, t) => {
			let a = () => G(t).layer, o = () => G(t).mean;
			var s = Ks(), c = B(R(s));
			k(s), H((e, t, i) => {
				$(s, "cx", e), $(s, "cy", t), $(s, "r", a() === G(r).top.layer || a() === G(r).low.layer ? 3.5 : 1.5), $(s, "fill", n.colours.accent), X(c, `layer ${a() ?? ""}: ${i ?? ""}`);
			}, [
				() => G(r).x(a()),
				() => G(r).y(o()),
				() => Yi(G(i), o())
			]), Y(e, s);
		}), k(v);
		var S = V(v, 2), C = V(R(S)), w = B(C), ee = B(V(C), !0);
		k(S), k(l), H((e) => {
			$(f, "data-tells", `statistic ${G(t).statistic ?? ""}`), X(p, G(i).title), X(h, G(t).statistic + 1), $(v, "viewBox", `0 0 ${s ?? ""} ${c ?? ""}`), $(v, "aria-label", `${G(i).title ?? ""}: largest in layer ${G(r).top.layer ?? ""}, smallest in layer ${G(r).low.layer ?? ""}`), $(y, "d", `M8 ${G(r).zero ?? ""}H${s - 8}`), $(y, "stroke", n.colours.edge), $(b, "d", G(r).band), $(b, "fill", n.colours.accent), $(x, "d", G(r).line), $(x, "stroke", n.colours.accent), X(w, `most in layer ${G(r).top.layer ?? ""}: ${e ?? ""}${G(i).unit === "share" ? " %" : ""}`), X(ee, G(t).means.length - 1);
		}, [() => Zi(G(i), G(r).top.mean)]), Y(e, l);
	}), k(f), Te(2), Y(e, d), N();
}
// src/report/Legend.svelte
var Xs = /* @__PURE__ */ q("<button type=\"button\" class=\"svelte-1bnyow1\"><i class=\"svelte-1bnyow1\"></i></button>"), Zs = /* @__PURE__ */ q("<div class=\"bars svelte-1bnyow1\" role=\"group\"></div> <div class=\"ends svelte-1bnyow1\"><span> </span><span> </span></div>", 1), Qs = /* @__PURE__ */ q("<button type=\"button\" class=\"svelte-1bnyow1\"><i class=\"svelte-1bnyow1\"></i><bdi> </bdi> <span class=\"svelte-1bnyow1\"> </span></button>"), $s = /* @__PURE__ */ q("<div class=\"names svelte-1bnyow1\" role=\"group\" aria-label=\"Heads by name\"></div>");
function ec(e, t) {
	M(t, !0);
	let n = j("report"), { book: r } = n, i = (e) => n.go({ only: n.only === e ? "" : e }), a = /* @__PURE__ */ P(() => Math.max(1, ...n.bars.map(({ heads: e }) => e))), o = /* @__PURE__ */ P(() => typeof n.colouring == "number" ? r.document.statistics[n.colouring] : null), s = /* @__PURE__ */ P(() => {
		if (typeof n.colouring == "number") return [];
		let { choices: e, heads: t } = n.colouring;
		return e.map((e, n) => ({
			choice: e,
			heads: t.filter((e) => e === n).length
		})).filter(({ heads: e }) => e > 0);
	});
	var c = Nr(), l = z(c), u = (e) => {
		var t = Zs(), r = z(t);
		Q(r, 21, () => n.bars, Gr, (e, t, r) => {
			let s = () => G(t).from, c = () => G(t).to, l = () => G(t).heads, u = () => G(t).colour;
			var d = Xs(), f = R(d);
			let p;
			k(d), H((e, t, n, r, i, o, s) => {
				d.disabled = l() === 0, $(d, "aria-pressed", e), $(d, "aria-label", `${t ?? ""} from ${n ?? ""} to ${r ?? ""}`), $(d, "title", `${i ?? ""} from ${o ?? ""} to ${s ?? ""}`), p = di(f, "", p, {
					height: `${l() === 0 ? 2 : 6 + 42 * l() / G(a)}px`,
					background: u()
				});
			}, [
				() => n.only === String(r),
				() => sa(l(), "head"),
				() => Yi(G(o), s()),
				() => Yi(G(o), c()),
				() => sa(l(), "head"),
				() => Yi(G(o), s()),
				() => Yi(G(o), c())
			]), K("click", d, () => i(String(r))), Y(e, d);
		}), k(r);
		var s = V(r, 2), c = R(s), l = B(c, !0), u = B(V(c), !0);
		k(s), H((e, t) => {
			$(r, "aria-label", `Heads by ${G(o).title ?? ""}`), X(l, e), X(u, t);
		}, [() => Yi(G(o), n.domain[0]), () => Yi(G(o), n.domain[1])]), Y(e, t);
	}, d = (e) => {
		var t = $s();
		Q(t, 21, () => G(s), ({ choice: e, heads: t }) => e.name, (e, t) => {
			let r = () => G(t).choice, a = () => G(t).heads;
			var o = Qs(), s = R(o);
			let c;
			var l = V(s), u = B(l, !0), d = B(V(l, 2), !0);
			k(o), H(() => {
				$(o, "aria-pressed", n.only === r().name), $(o, "title", r().meaning), c = di(s, "", c, { background: n.dark ? r().dark : r().light }), X(u, r().title), X(d, a());
			}), K("click", o, () => i(r().name)), Y(e, o);
		}), k(t), Y(e, t);
	};
	Z(l, (e) => {
		G(o) ? e(u) : e(d, -1);
	}), Y(e, c), N();
}
Cr(["click"]);
// src/report/scatter.ts
function tc(e, t, n = 4) {
	let r = (t - e) / n, i = 10 ** Math.floor(Math.log10(r)), a = [
		1,
		2,
		5,
		10
	].map((e) => e * i).find((e) => e >= r), o = Math.ceil(e / a - 1e-9), s = Math.floor(t / a + 1e-9);
	return Array.from({ length: Math.max(0, s - o + 1) }, (e, t) => (o + t) * a);
}
function nc(e, t, n, r, i = 16) {
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
			}).find(({ box: t }) => t[0] >= 0 && t[2] <= n && !l.some((e) => rc(t, e)) && e.filter(({ x: e, y: n }) => e > t[0] - 4 && e < t[2] + 4 && n > t[1] - 2 && n < t[3] + 2).length === 0);
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
function rc(e, t) {
	return e[0] < t[2] && t[0] < e[2] && e[1] < t[3] && t[1] < e[3];
}
// src/report/Scatter.svelte
var ic = /* @__PURE__ */ J("<path stroke-opacity=\"0.5\"></path><text text-anchor=\"middle\" font-size=\"12\"> </text>", 1), ac = /* @__PURE__ */ J("<path stroke-opacity=\"0.5\"></path><text text-anchor=\"end\" dominant-baseline=\"central\" font-size=\"12\"> </text>", 1), oc = /* @__PURE__ */ J("<!><!><text text-anchor=\"end\" font-size=\"12\"> </text><text font-size=\"12\"> </text>", 1), sc = /* @__PURE__ */ J("<text font-size=\"12\">Heads that do the same lie near each other; the axes mean nothing by themselves.</text>"), cc = /* @__PURE__ */ J("<a tabindex=\"-1\"><circle></circle></a>"), lc = /* @__PURE__ */ J("<text dominant-baseline=\"central\" font-size=\"11\" pointer-events=\"none\"> </text>"), uc = /* @__PURE__ */ q("<div class=\"choices svelte-sdt1t4\"><!> <!></div> <div class=\"room\"><svg role=\"group\" class=\"svelte-sdt1t4\"><!><!><!></svg></div> <!>", 1);
function dc(e, t) {
	M(t, !0);
	let n = j("report"), { book: r } = n, { statistics: i, heads: a } = r.document, o = /* @__PURE__ */ I(520), s = /* @__PURE__ */ I(void 0), [c, l, u, d] = [
		44,
		14,
		30,
		46
	], f = /* @__PURE__ */ P(() => Math.max(280, G(o))), p = (...e) => e.map((e) => r.named(e)).find((e) => e !== null) ?? null, m = p("entropy.all", "entropy") ?? 0, h = p("to_previous", "to_self") ?? Math.min(1, i.length - 1), g = /* @__PURE__ */ P(() => n.x === "plane" && a.plane !== null), _ = /* @__PURE__ */ P(() => r.named(n.x) ?? m), v = /* @__PURE__ */ P(() => r.named(n.y) ?? h), y = /* @__PURE__ */ P(() => {
		if (G(g)) {
			let e = a.plane.map(([e]) => e), t = a.plane.map(([, e]) => e);
			return {
				x: b(Math.min(...e), Math.max(...e)),
				y: b(Math.min(...t), Math.max(...t))
			};
		}
		return {
			x: b(...r.domain(G(_))),
			y: b(...r.domain(G(v)))
		};
	}), b = (e, t) => [e - .03 * (t - e), t + .03 * (t - e || 1)], x = /* @__PURE__ */ P(() => (e) => c + (G(f) - c - l) * (e - G(y).x[0]) / (G(y).x[1] - G(y).x[0])), S = /* @__PURE__ */ P(() => (e) => 400 - d - (400 - u - d) * (e - G(y).y[0]) / (G(y).y[1] - G(y).y[0])), C = /* @__PURE__ */ P(() => a.address.flatMap((e, t) => {
		let [n, r] = G(g) ? a.plane[t] : [i[G(_)].values[t], i[G(v)].values[t]];
		return n === null || r === null ? [] : [{
			head: t,
			x: G(x)(n),
			y: G(S)(r)
		}];
	})), w = /* @__PURE__ */ P(() => nc(G(C).filter(({ head: e }) => n.stays(e)), (e) => {
		let t = r.calledFirst(e)?.title;
		return t ? [`${r.address(e)} ${t}`, r.address(e)] : [r.address(e)];
	}, G(f), 400, G(f) < 420 ? 8 : 14));
	var ee = uc(), te = z(ee), ne = R(te);
	{
		let e = /* @__PURE__ */ P(() => G(g) ? "plane" : i[G(_)].key), t = /* @__PURE__ */ P(() => a.plane !== null);
		Ws(ne, {
			label: "Across",
			get value() {
				return G(e);
			},
			get plane() {
				return G(t);
			},
			onchoose: (e) => n.go({ x: e })
		});
	}
	var re = V(ne, 2), ie = (e) => {
		Ws(e, {
			label: "Up",
			get value() {
				return i[G(v)].key;
			},
			onchoose: (e) => n.go({ y: e })
		});
	};
	Z(re, (e) => {
		G(g) || e(ie);
	}), k(te);
	var ae = V(te, 2), T = R(ae), oe = R(T), se = (e) => {
		let t = /* @__PURE__ */ P(() => tc(...G(y).x, G(f) < 420 ? 3 : 5)), r = /* @__PURE__ */ P(() => tc(...G(y).y, 4));
		var a = oc(), o = z(a);
		Q(o, 18, () => G(t), (e) => e, (e, r, a) => {
			var o = ic(), s = z(o), c = V(s), l = B(c, !0);
			H((e, t, r) => {
				$(s, "d", `M${e ?? ""} ${u ?? ""}V${400 - d}`), $(s, "stroke", n.colours.edge), $(c, "x", t), $(c, "y", 400 - d + 16), $(c, "fill", n.colours.quiet), X(l, r);
			}, [
				() => G(x)(r),
				() => G(x)(r),
				() => Qi(i[G(_)], G(t))[G(a)]
			]), Y(e, o);
		});
		var s = V(o);
		Q(s, 18, () => G(r), (e) => e, (e, t, a) => {
			var o = ac(), s = z(o), u = V(s), d = B(u, !0);
			H((e, t, r) => {
				$(s, "d", `M${c ?? ""} ${e ?? ""}H${G(f) - l}`), $(s, "stroke", n.colours.edge), $(u, "x", c - 8), $(u, "y", t), $(u, "fill", n.colours.quiet), X(d, r);
			}, [
				() => G(S)(t),
				() => G(S)(t),
				() => Qi(i[G(v)], G(r))[G(a)]
			]), Y(e, o);
		});
		var p = V(s);
		$(p, "y", 394);
		var m = B(p), h = V(p);
		$(h, "x", 4), $(h, "y", 12);
		var g = B(h);
		H(() => {
			$(p, "x", G(f) - l), $(p, "fill", n.colours.ink), X(m, `${i[G(_)].title ?? ""}${i[G(_)].unit === "share" ? ", %" : ""} →`), $(h, "fill", n.colours.ink), X(g, `↑ ${i[G(v)].title ?? ""}${i[G(v)].unit === "share" ? ", %" : ""}`);
		}), Y(e, a);
	}, ce = (e) => {
		var t = sc();
		$(t, "y", 394), H(() => {
			$(t, "x", c), $(t, "fill", n.colours.quiet);
		}), Y(e, t);
	};
	Z(oe, (e) => {
		G(g) ? e(ce, -1) : e(se);
	});
	var le = V(oe);
	Q(le, 17, () => G(C), ({ head: e, x: t, y: n }) => e, (e, t) => {
		let i = () => G(t).head, a = () => G(t).x, o = () => G(t).y;
		var s = cc(), c = B(s);
		H((e, t, r, l) => {
			$(s, "href", e), $(s, "data-tells", `head ${i() ?? ""}`), $(s, "aria-label", `Head ${t ?? ""}`), $(c, "cx", a()), $(c, "cy", o()), $(c, "r", n.pointed === i() ? 8 : 5), $(c, "fill", r), $(c, "fill-opacity", l), $(c, "stroke", n.pointed === i() ? n.colours.ink : n.colours.page), $(c, "stroke-width", n.pointed === i() ? 2 : .75);
		}, [
			() => n.link(i()),
			() => r.address(i()),
			() => n.colour(i()),
			() => n.opacity(i())
		]), Y(e, s);
	}), Q(V(le), 17, () => G(w), ({ head: e, x: t, y: n, text: r, anchor: i }) => e, (e, t) => {
		let r = () => G(t).x, i = () => G(t).y, a = () => G(t).text, o = () => G(t).anchor;
		var s = lc(), c = B(s, !0);
		H(() => {
			$(s, "x", r() + (o() === "start" ? 8 : -8)), $(s, "y", i()), $(s, "text-anchor", o()), $(s, "fill", n.colours.ink), X(c, a());
		}), Y(e, s);
	}), k(T), Ai(T, (e) => L(s, e), () => G(s)), k(ae), no(V(ae, 2), {
		get picture() {
			return G(s);
		},
		name: "scatter"
	}), H(() => {
		$(T, "viewBox", `0 0 ${G(f) ?? ""} 400`), $(T, "aria-label", G(g) ? "Heads by how alike they are" : `Heads by ${i[G(_)].title} and ${i[G(v)].title}`), $(T, "font-family", n.printing ? "sans-serif" : void 0);
	}), Oi(ae, "clientWidth", (e) => L(o, e)), Y(e, ee), N();
}
// src/report/Overview.svelte
var fc = /* @__PURE__ */ q("<li class=\"svelte-5snfd7\"><!></li>"), pc = /* @__PURE__ */ q("<section aria-labelledby=\"attlas-stands-out\" class=\"svelte-5snfd7\"><h2 id=\"attlas-stands-out\">What stands out</h2> <ul class=\"stands-out svelte-5snfd7\"></ul></section>"), mc = /* @__PURE__ */ q("<span class=\"quiet\"> <button type=\"button\">Show all</button></span>"), hc = /* @__PURE__ */ q("<h3> </h3>"), gc = /* @__PURE__ */ q("<!> <!>", 1), _c = /* @__PURE__ */ q("<section aria-labelledby=\"attlas-apart\"><h2 id=\"attlas-apart\">Heads apart</h2> <!></section>"), vc = /* @__PURE__ */ q("<section aria-labelledby=\"attlas-layers\"><h2 id=\"attlas-layers\">Layer by layer</h2> <!></section>"), yc = /* @__PURE__ */ q("<header class=\"svelte-5snfd7\"><h1 tabindex=\"-1\" class=\"svelte-5snfd7\"><bdi> </bdi></h1> <p class=\"quiet svelte-5snfd7\"> </p></header> <div class=\"glance svelte-5snfd7\"><!> <section aria-labelledby=\"attlas-every\" class=\"svelte-5snfd7\"><h2 id=\"attlas-every\">Every head</h2> <div class=\"colouring svelte-5snfd7\"><!> <!></div> <div class=\"grids svelte-5snfd7\"></div> <!></section></div> <!> <!> <section aria-labelledby=\"attlas-table\"><h2 id=\"attlas-table\">In numbers</h2> <!></section> <!>", 1);
function bc(e, t) {
	M(t, !0);
	let n = j("report"), { book: r } = n, { model: i, stands_out: a, layers: o, chapters: s, statistics: c } = r.document, l = [...Array(r.count).keys()], u = /* @__PURE__ */ P(() => l.filter((e) => n.stays(e))), d = /* @__PURE__ */ P(() => typeof n.colouring == "number" ? c[n.colouring].key : n.colouring.kind), f = i.grids.map(({ kind: e, layers: t, width: n }) => `${i.grids.length > 1 ? `${e} ` : ""}${t} × ${n}`).join(", ");
	var p = yc(), m = z(p), h = R(m), g = B(R(h), !0);
	k(h);
	var _ = B(V(h, 2));
	k(m);
	var v = V(m, 2), y = R(v), b = (e) => {
		var t = pc(), n = V(R(t), 2);
		Q(n, 21, () => a, Gr, (e, t) => {
			var n = fc();
			Na(R(n), { get sentence() {
				return G(t);
			} }), k(n), Y(e, n);
		}), k(n), k(t), Y(e, t);
	};
	Z(y, (e) => {
		a.length > 0 && e(b);
	});
	var x = V(y, 2), S = V(R(x), 2), C = R(S);
	Ws(C, {
		label: "Colour by",
		names: !0,
		get value() {
			return G(d);
		},
		onchoose: (e) => n.go({
			colour: e,
			only: ""
		})
	});
	var w = V(C, 2), ee = (e) => {
		var t = mc(), r = R(t), i = V(r);
		k(t), H((e) => X(r, `${e ?? ""} `), [() => sa(G(u).length, "head")]), K("click", i, () => n.go({ only: "" })), Y(e, t);
	};
	Z(w, (e) => {
		n.only && e(ee);
	}), k(S);
	var te = V(S, 2);
	Q(te, 21, () => i.grids, (e) => e.kind, (e, t) => {
		var n = gc(), r = z(n), a = (e) => {
			var n = hc(), r = B(n, !0);
			H(() => X(r, G(t).kind)), Y(e, n);
		};
		Z(r, (e) => {
			i.grids.length > 1 && e(a);
		}), lo(V(r, 2), {
			get grid() {
				return G(t);
			},
			saved: !0
		}), Y(e, n);
	}), k(te), ec(V(te, 2), {}), k(x), k(v);
	var ne = V(v, 2), re = (e) => {
		var t = _c();
		dc(V(R(t), 2), {}), k(t), Y(e, t);
	};
	Z(ne, (e) => {
		c.length > 1 && e(re);
	});
	var ie = V(ne, 2), ae = (e) => {
		var t = vc();
		Ys(V(R(t), 2), {}), k(t), Y(e, t);
	}, T = /* @__PURE__ */ P(() => o.some(({ means: e }) => e.length > 1));
	Z(ie, (e) => {
		G(T) && e(ae);
	});
	var oe = V(ie, 2);
	ja(V(R(oe), 2), {
		get heads() {
			return G(u);
		},
		first: 12
	}), k(oe), Rs(V(oe, 2), {}), H((e, t) => {
		X(g, i.title), X(_, `${e ?? ""} (${f ?? ""}) · ${i.type ?? ""} · ${t ?? ""} of measurements`);
	}, [() => sa(r.count, "head"), () => sa(s.length, "chapter")]), Y(e, p), N();
}
Cr(["click"]);
// src/report/telling.ts
function xc(e, t) {
	let [n, ...r] = e.split(" "), [i, a] = r.map(Number);
	if (n === "head") return {
		title: `Head ${t.address(i)}`,
		lines: [Sc(t.sentences(i))]
	};
	if (n === "statistic") {
		let e = t.document.statistics[i], n = Number.isInteger(a) ? a : null, r = n === null ? "" : `: ${Yi(e, e.values[n], e.stderr[n])}`;
		return {
			title: e.title + r,
			lines: t.note(e, n)
		};
	}
	if (n === "chapter") {
		let { title: e, read: n, notes: r } = t.document.chapters[i];
		return {
			title: e,
			lines: [`Read ${n.join(", ") || "nothing that was counted"}.`, ...r]
		};
	}
	return null;
}
var Sc = (e, t = 260) => e.length > t ? `${e.slice(0, t)}…` : e, Cc = /* @__PURE__ */ q("<p class=\"svelte-1xz505z\"> </p>"), wc = /* @__PURE__ */ q("<div class=\"tip svelte-1xz505z\" role=\"tooltip\"><strong><bdi> </bdi></strong> <!></div>");
function Tc(e, t) {
	M(t, !0);
	let n = Fi(t, "state", 7), r = /* @__PURE__ */ I(null), i = /* @__PURE__ */ I(void 0), a = /* @__PURE__ */ I({
		x: 0,
		y: 0
	}), o = /* @__PURE__ */ P(() => G(r) && xc(G(r).getAttribute("data-tells"), n().book)), s = (e) => e.target?.closest?.("[data-tells]") ?? null;
	yn(() => {
		if (!t.root) return;
		let e = (e) => e.pointerType === "mouse" && L(r, s(e)), n = (e) => L(r, e.target.matches(":focus-visible") ? s(e) : G(r)), i = (e) => {
			let t = s(e);
			t?.closest("a, button") || L(r, t);
		}, a = () => {
			let e = G(r);
			queueMicrotask(() => G(r) === e && L(r, null));
		}, o = (e) => e.key === "Escape" && a();
		return t.root.addEventListener("pointerover", e), t.root.addEventListener("pointerleave", a), t.root.addEventListener("focusin", n), t.root.addEventListener("focusout", a), t.root.addEventListener("click", i), t.root.addEventListener("keydown", o), window.addEventListener("scroll", a, { passive: !0 }), window.addEventListener("hashchange", a), () => {
			t.root.removeEventListener("pointerover", e), t.root.removeEventListener("pointerleave", a), t.root.removeEventListener("focusin", n), t.root.removeEventListener("focusout", a), t.root.removeEventListener("click", i), t.root.removeEventListener("keydown", o), window.removeEventListener("scroll", a), window.removeEventListener("hashchange", a);
		};
	}), yn(() => {
		if (!G(r) || !G(i)) return;
		let [e, t] = [G(r).getBoundingClientRect(), G(i).getBoundingClientRect()], n = Math.max(8, Math.min(e.left + e.width / 2 - t.width / 2, document.documentElement.clientWidth - t.width - 8)), o = e.top - t.height - 8 > 0 ? e.top - t.height - 8 : e.bottom + 8;
		L(a, {
			x: n,
			y: o
		});
	}), yn(() => {
		let e = G(r)?.getAttribute("data-tells") ?? "";
		n().pointed = e.startsWith("head ") ? Number(e.slice(5)) : null;
	});
	var c = Nr(), l = z(c), u = (e) => {
		var t = wc();
		let n;
		var r = R(t), s = B(R(r), !0);
		k(r), Q(V(r, 2), 17, () => G(o).lines, Gr, (e, t) => {
			var n = Cc(), r = B(n, !0);
			H(() => X(r, G(t))), Y(e, n);
		}), k(t), Ai(t, (e) => L(i, e), () => G(i)), H(() => {
			n = di(t, "", n, {
				left: `${G(a).x ?? ""}px`,
				top: `${G(a).y ?? ""}px`
			}), X(s, G(o).title);
		}), Y(e, t);
	};
	Z(l, (e) => {
		G(o) && e(u);
	}), Y(e, c), N();
}
// src/report/Report.svelte
var Ec = /* @__PURE__ */ q("<div><!></div>"), Dc = /* @__PURE__ */ q("<!> <!>", 1), Oc = /* @__PURE__ */ q("<h1 tabindex=\"-1\"> </h1> <p>The heads of <bdi> </bdi> </p>", 1), kc = /* @__PURE__ */ q("<div class=\"report svelte-1gwpscg\"><nav class=\"bar svelte-1gwpscg\" aria-label=\"Report\"><a class=\"home svelte-1gwpscg\"><!></a> <!></nav> <div class=\"body svelte-1gwpscg\"><div><!></div> <!> <!> <!></div> <!></div>");
function Ac(e, t) {
	M(t, !0);
	let n = Fi(t, "state", 7);
	Je("report", n());
	let { book: r } = n(), { model: i } = r.document, a = /* @__PURE__ */ I(void 0), o = /* @__PURE__ */ P(() => n().route.head ? "card" : n().route.find ? "answers" : "overview"), s = /* @__PURE__ */ P(() => n().head === null ? i.title : `Head ${r.address(n().head)} · ${i.title}`), c = /* @__PURE__ */ new Map();
	yn(() => {
		let e = matchMedia("(prefers-color-scheme: dark)"), t = () => !n().printing && (n().dark = e.matches);
		return e.addEventListener("change", t), () => e.removeEventListener("change", t);
	}), yn(() => {
		document.title = `${G(s)} · Attlas report`;
	}), yn(() => {
		history.scrollRestoration = "manual";
		let e = G(o), t = async () => {
			e !== "card" && c.set(e, window.scrollY), n().follow(location.hash), await ur();
			let t = G(o) !== "card" && e === "card";
			window.scrollTo(0, t ? c.get(G(o)) ?? 0 : 0), G(o) === "card" && G(a)?.querySelector("article h1")?.focus({ preventScroll: !0 }), e = G(o);
		};
		return window.addEventListener("hashchange", t), () => window.removeEventListener("hashchange", t);
	}), yn(() => {
		let e = () => {
			n().printing = G(o) === "card" ? "card" : "all", n().dark = !1, Mt();
		}, t = () => {
			n().printing = "", n().dark = Vi("system");
		};
		return window.addEventListener("beforeprint", e), window.addEventListener("afterprint", t), () => {
			window.removeEventListener("beforeprint", e), window.removeEventListener("afterprint", t);
		};
	});
	function l(e) {
		yn(() => {
			for (let [t, r] of Object.entries(n().dark ? zi.dark : zi.light)) e.style.setProperty(`--${t}`, r);
			e.style.setProperty("--font", Bi), e.style.setProperty("color-scheme", n().dark ? "dark" : "light"), document.body.style.background = n().colours.page;
		});
	}
	var u = kc(), d = R(u), f = R(d), p = R(f), m = (e) => {
		Y(e, Mr("Attlas report"));
	}, h = (e) => {
		var t = Mr();
		H((e) => X(t, `← ${e ?? ""}`), [() => G(o) === "card" && n().back.includes("find=") ? "Answers" : "All heads"]), Y(e, t);
	};
	Z(p, (e) => {
		G(o) === "overview" ? e(m) : e(h, -1);
	}), k(f), Es(V(f, 2), {}), k(d);
	var g = V(d, 2), _ = R(g);
	bc(R(_), {}), k(_);
	var v = V(_, 2), y = (e) => {
		var t = Ec();
		let r;
		Va(R(t), {}), k(t), H(() => r = li(t, 1, "svelte-1gwpscg", null, r, { unprinted: n().printing === "all" })), Y(e, t);
	};
	Z(v, (e) => {
		G(o) === "answers" && e(y);
	});
	var b = V(v, 2), x = (e) => {
		var t = Nr(), a = z(t), o = (e) => {
			var t = Dc(), r = z(t);
			Wr(r, () => n().head, (e) => {
				{
					let t = /* @__PURE__ */ P(() => n().printing === "card");
					ms(e, {
						get head() {
							return n().head;
						},
						get printed() {
							return G(t);
						}
					});
				}
			});
			var i = V(r, 2), a = (e) => {
				Rs(e, {});
			};
			Z(i, (e) => {
				n().printing === "card" && e(a);
			}), Y(e, t);
		}, s = (e) => {
			var t = Oc(), a = z(t), o = B(a), s = V(a, 2), c = V(R(s)), l = B(c, !0), u = V(c);
			k(s), H((e, t) => {
				X(o, `No head ${n().route.head ?? ""}`), X(l, i.title), X(u, ` are ${e ?? ""} to ${t ?? ""}.`);
			}, [() => r.address(0), () => r.address(r.count - 1)]), Y(e, t);
		};
		Z(a, (e) => {
			n().head === null ? e(s, -1) : e(o);
		}), Y(e, t);
	};
	Z(b, (e) => {
		G(o) === "card" && e(x);
	});
	var S = V(b, 2), C = (e) => {
		var t = Nr();
		Q(z(t), 16, () => Array(r.count).keys(), (e) => e, (e, t) => {
			ms(e, {
				get head() {
					return t;
				},
				printed: !0
			});
		}), Y(e, t);
	};
	Z(S, (e) => {
		n().printing === "all" && e(C);
	}), k(g), Tc(V(g, 2), {
		get state() {
			return n();
		},
		get root() {
			return G(a);
		}
	}), k(u), Ai(u, (e) => L(a, e), () => G(a)), ei(u, () => l), H(() => {
		$(u, "data-theme", n().dark ? "dark" : "light"), $(f, "href", G(o) === "overview" ? "#" : G(o) === "card" ? n().back : "#"), $(_, "hidden", G(o) !== "overview" && n().printing !== "all");
	}), Y(e, u), N();
}
var jc = "Nothing that Attlas measures has these words. Ask for places (previous, [SEP]), patterns (induction), relations (subject, object), shapes, breadth, or which heads matter.", Mc = /(?<![\p{L}\p{N}_.])(?:(?:encoder|decoder|cross)\.)?\d+\.\d+(?![\p{L}\p{N}_.]*\d)/gu;
function Nc(e, t) {
	let n = _s(e, t), r = (e) => n.conditions.every((t) => t.holds(e)), i = {
		missing: [],
		note: ""
	};
	if (!n.words) return {
		query: n,
		heads: [...Array(t.count).keys()].filter(r),
		answers: [],
		...i
	};
	let a = [...new Set(n.words.match(Mc) ?? [])];
	if (a.length > 0) {
		let e = a.flatMap((e) => t.head(e) ?? []).filter(r);
		return {
			query: n,
			heads: e,
			answers: e.map((e) => ({
				head: e,
				sentences: t.document.cards[e].sentences,
				sure: !0,
				about: ""
			})),
			missing: [],
			note: e.length === 0 ? `The heads are ${t.address(0)} to ${t.address(t.count - 1)}.` : ""
		};
	}
	let { heads: o, missing: s, asked: c } = t.matcher.answer(n.words, Infinity), l = o.length === 0 ? Pc(c, t) : "", u = l || (o.length === 0 && s.length === 0 ? jc : ""), d = o.map(({ topic: e, rank: t }) => ({
		head: e.heads[t],
		sentences: [e.sentences[t]],
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
function Pc(e, t) {
	let { heads: n, statistics: r } = t.document;
	if (e.has("next") && n.kind.every((e) => e === "decoder")) return "No head can: in a decoder, a token sees only those before it.";
	let i = (e, t) => r.some((n) => n.name === e && n.group === t);
	for (let [t, n] of [["sep", "[SEP]"], ["cls", "[CLS]"]]) if (e.has(t) && i("entropy", "all") && !i("to_class", t)) return `No head can: the model reads no ${n}.`;
	return "";
}
// src/report/route.ts
var Fc = {
	head: "",
	find: "",
	sort: "",
	colour: "",
	only: "",
	x: "",
	y: ""
};
function Ic(e) {
	return `#${Object.keys(Fc).filter((t) => e[t]).map((t) => `${t}=${Rc(e[t])}`).join("&")}`;
}
function Lc(e) {
	let t = new URLSearchParams(e.replace(/^#/, "")), n = { ...Fc };
	for (let e of Object.keys(Fc)) n[e] = t.get(e) ?? "";
	return n;
}
var Rc = (e) => encodeURIComponent(e).replaceAll("%20", "+").replaceAll("%3A", ":").replaceAll("%2C", ","), zc = 16, Bc = class {
	book;
	#e = /* @__PURE__ */ I(!1);
	get dark() {
		return G(this.#e);
	}
	set dark(e) {
		L(this.#e, e, !0);
	}
	#t = /* @__PURE__ */ I(Fc);
	get route() {
		return G(this.#t);
	}
	set route(e) {
		L(this.#t, e);
	}
	#n = /* @__PURE__ */ I("");
	get printing() {
		return G(this.#n);
	}
	set printing(e) {
		L(this.#n, e, !0);
	}
	#r = /* @__PURE__ */ I("#");
	get back() {
		return G(this.#r);
	}
	set back(e) {
		L(this.#r, e, !0);
	}
	#i = /* @__PURE__ */ I(null);
	get pointed() {
		return G(this.#i);
	}
	set pointed(e) {
		L(this.#i, e, !0);
	}
	#a = /* @__PURE__ */ P(() => this.dark ? zi.dark : zi.light);
	get colours() {
		return G(this.#a);
	}
	set colours(e) {
		L(this.#a, e);
	}
	#o = /* @__PURE__ */ P(() => this.route.find);
	get question() {
		return G(this.#o);
	}
	set question(e) {
		L(this.#o, e);
	}
	#s = /* @__PURE__ */ P(() => this.route.colour);
	get colourKey() {
		return G(this.#s);
	}
	set colourKey(e) {
		L(this.#s, e);
	}
	#c = /* @__PURE__ */ P(() => this.route.only);
	get only() {
		return G(this.#c);
	}
	set only(e) {
		L(this.#c, e);
	}
	#l = /* @__PURE__ */ P(() => this.route.x);
	get x() {
		return G(this.#l);
	}
	set x(e) {
		L(this.#l, e);
	}
	#u = /* @__PURE__ */ P(() => this.route.y);
	get y() {
		return G(this.#u);
	}
	set y(e) {
		L(this.#u, e);
	}
	#d = /* @__PURE__ */ P(() => this.route.sort);
	get sort() {
		return G(this.#d);
	}
	set sort(e) {
		L(this.#d, e);
	}
	#f = /* @__PURE__ */ P(() => this.route.head ? this.book.head(this.route.head) : null);
	get head() {
		return G(this.#f);
	}
	set head(e) {
		L(this.#f, e);
	}
	#p = /* @__PURE__ */ P(() => Nc(this.question, this.book));
	get found() {
		return G(this.#p);
	}
	set found(e) {
		L(this.#p, e);
	}
	constructor(e) {
		this.book = e;
	}
	follow(e) {
		this.route = Lc(e), this.route.head || (this.back = Ic(this.route));
	}
	go(e, t = "replace") {
		let n = Ic({
			...this.route,
			...e
		});
		try {
			t === "push" ? history.pushState(null, "", n) : history.replaceState(null, "", n);
		} catch {}
		this.follow(n);
	}
	link(e) {
		return Ic({ head: this.book.address(e) });
	}
	#m = /* @__PURE__ */ P(() => {
		let { names: e } = this.book.document, t = e.find(({ kind: e }) => e === this.colourKey);
		if (t) return t;
		let n = this.book.named(this.colourKey);
		return this.colourKey && n !== null ? n : e.find(({ kind: e }) => e === "pattern") ?? e[0] ?? 0;
	});
	get colouring() {
		return G(this.#m);
	}
	set colouring(e) {
		L(this.#m, e);
	}
	#h = /* @__PURE__ */ P(() => typeof this.colouring == "number" ? this.book.domain(this.colouring) : [0, 1]);
	get domain() {
		return G(this.#h);
	}
	set domain(e) {
		L(this.#h, e);
	}
	#g = /* @__PURE__ */ P(() => {
		if (typeof this.colouring != "number") return [];
		let [e, t] = this.domain, n = (t - e) / zc, r = Array.from({ length: zc }, (t, r) => ({
			from: e + r * n,
			to: e + (r + 1) * n,
			heads: 0,
			colour: this.shade(e + (r + .5) * n)
		}));
		for (let e of this.book.document.statistics[this.colouring].values) e !== null && r[this.bar(e)].heads++;
		return r;
	});
	get bars() {
		return G(this.#g);
	}
	set bars(e) {
		L(this.#g, e);
	}
	bar(e) {
		let [t, n] = this.domain;
		return Math.max(0, Math.min(15, Math.floor(zc * (e - t) / (n - t))));
	}
	shade(e) {
		let [t, n] = this.domain;
		return t >= 0 ? yo(this.dark, .04 + .86 * (e - t) / (n - t)) : yo(this.dark, .5 + .45 * e / Math.max(-t, n, Number.MIN_VALUE), !0);
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
		return `${t.title} ${Yi(t, t.values[e], t.stderr[e])}`;
	}
};
// src/report/main.ts
async function Vc(e) {
	return Li(Ii(document.querySelector(`script[data-attlas="${e}"]`).textContent));
}
async function Hc(e) {
	try {
		let [t, n] = await Promise.all([Vc("report"), Vc("data")]), r = JSON.parse(new TextDecoder().decode(t));
		pa(r, n.byteLength);
		let i = new Bc(new da(r, n));
		i.dark = Vi("system"), i.follow(location.hash), Rr(Ac, {
			target: e,
			props: { state: i }
		}), Mt(), performance.mark("attlas-drawn");
	} catch (t) {
		let n = document.createElement("p");
		throw n.setAttribute("role", "alert"), n.textContent = t instanceof Error ? t.message : String(t), e.replaceChildren(n), t;
	}
}
Hc(document.getElementById("attlas"));
