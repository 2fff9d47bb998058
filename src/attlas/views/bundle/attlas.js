// node_modules/svelte/src/internal/shared/utils.js
var e = Array.isArray, t = Array.prototype.indexOf, n = Array.prototype.includes, r = Array.from, i = Object.defineProperty, a = Object.getOwnPropertyDescriptor, o = Object.getOwnPropertyDescriptors, s = Object.prototype, c = Array.prototype, l = Object.getPrototypeOf, u = Object.isExtensible, d = () => {};
function f(e) {
	for (var t = 0; t < e.length; t++) e[t]();
}
function p() {
	var e, t;
	return {
		promise: new Promise((n, r) => {
			e = n, t = r;
		}),
		resolve: e,
		reject: t
	};
}
// node_modules/svelte/src/internal/client/constants.js
var m = 1 << 24, h = 1024, g = 2048, _ = 4096, v = 8192, y = 16384, b = 32768, x = 1 << 25, S = 65536, C = 1 << 19, w = 1 << 20, ee = 1 << 25, te = 1 << 21, ne = 1 << 22, re = 1 << 23, ie = Symbol("$state"), ae = Symbol("component"), oe = Symbol("legacy props"), se = Symbol(""), ce = Symbol("attributes"), le = Symbol("class"), ue = Symbol("style"), de = Symbol("text"), fe = Symbol("form reset"), pe = new class extends Error {
	name = "StaleReactionError";
	message = "The reaction that called `getAbortSignal()` was re-run or destroyed";
}(), me = !!globalThis.document?.contentType && /* @__PURE__ */ globalThis.document.contentType.includes("xml"), he = {}, T = Symbol("uninitialized"), ge = "http://www.w3.org/1999/xhtml";
function _e() {
	console.warn("https://svelte.dev/e/derived_inert");
}
function ve(e) {
	console.warn("https://svelte.dev/e/hydration_mismatch");
}
function ye() {
	console.warn("https://svelte.dev/e/select_multiple_invalid_value");
}
function be() {
	console.warn("https://svelte.dev/e/svelte_boundary_reset_noop");
}
// node_modules/svelte/src/internal/client/dom/hydration.js
var E = !1;
function xe(e) {
	E = e;
}
var D;
function Se(e) {
	if (e === null) throw ve(), he;
	return D = e;
}
function Ce() {
	return Se(/* @__PURE__ */ dn(D));
}
function O(e) {
	if (E) {
		if (/* @__PURE__ */ dn(D) !== null) throw ve(), he;
		D = e;
	}
}
function we(e = 1) {
	if (E) {
		for (var t = e, n = D; t--;) n = /* @__PURE__ */ dn(n);
		D = n;
	}
}
function Te(e = !0) {
	for (var t = 0, n = D;;) {
		if (n.nodeType === 8) {
			var r = n.data;
			if (r === "]") {
				if (t === 0) return n;
				--t;
			} else (r === "[" || r === "[!" || r[0] === "[" && !isNaN(Number(r.slice(1)))) && (t += 1);
		}
		var i = /* @__PURE__ */ dn(n);
		e && n.remove(), n = i;
	}
}
function Ee(e) {
	if (!e || e.nodeType !== 8) throw ve(), he;
	return e.data;
}
// node_modules/svelte/src/internal/client/reactivity/equality.js
function De(e) {
	return e === this.v;
}
function Oe(e, t) {
	return e == e ? e !== t || typeof e == "object" && !!e || typeof e == "function" : t == t;
}
function ke(e) {
	return !Oe(e, this.v);
}
function Ae(e) {
	throw Error("https://svelte.dev/e/lifecycle_outside_component");
}
// node_modules/svelte/src/internal/client/errors.js
function je() {
	throw Error("https://svelte.dev/e/async_derived_orphan");
}
function Me(e, t, n) {
	throw Error("https://svelte.dev/e/each_key_duplicate");
}
function Ne(e) {
	throw Error("https://svelte.dev/e/effect_in_teardown");
}
function Pe() {
	throw Error("https://svelte.dev/e/effect_in_unowned_derived");
}
function Fe(e) {
	throw Error("https://svelte.dev/e/effect_orphan");
}
function Ie() {
	throw Error("https://svelte.dev/e/effect_update_depth_exceeded");
}
function Le(e) {
	throw Error("https://svelte.dev/e/props_invalid_value");
}
function Re() {
	throw Error("https://svelte.dev/e/state_descriptors_fixed");
}
function ze() {
	throw Error("https://svelte.dev/e/state_prototype_fixed");
}
function Be() {
	throw Error("https://svelte.dev/e/state_unsafe_mutation");
}
function Ve() {
	throw Error("https://svelte.dev/e/svelte_boundary_reset_onerror");
}
// node_modules/svelte/src/internal/shared/clone.js
var He = [];
function Ue(e, t = !1, n = !1) {
	return We(e, /* @__PURE__ */ new Map(), "", He, null, n);
}
function We(t, n, r, i, a = null, o = !1) {
	if (typeof t == "object" && t) {
		var c = n.get(t);
		if (c !== void 0) return c;
		if (t instanceof Map) return new Map(t);
		if (t instanceof Set) return new Set(t);
		if (e(t)) {
			var u = Array(t.length);
			n.set(t, u), a !== null && n.set(a, u);
			for (var d = 0; d < t.length; d += 1) {
				var f = t[d];
				d in t && (u[d] = We(f, n, r, i, null, o));
			}
			return u;
		}
		if (l(t) === s) {
			u = {}, n.set(t, u), a !== null && n.set(a, u);
			for (var p of Object.keys(t)) u[p] = We(t[p], n, r, i, null, o);
			return u;
		}
		if (t instanceof Date) return t.getTime(), structuredClone(t);
		if (typeof t.toJSON == "function" && !o) return We(t.toJSON(), n, r, i, t);
	}
	if (t instanceof EventTarget) return t;
	try {
		return structuredClone(t);
	} catch {
		return t;
	}
}
// node_modules/svelte/src/internal/shared/context.js
function Ge(e) {
	let t = e.p;
	for (; t !== null && t.c === null;) t = t.p;
	return t?.c ?? null;
}
function Ke(e, t) {
	return e === null && Ae(t), e.c ??= new Map(Ge(e) || void 0);
}
// node_modules/svelte/src/internal/client/context.js
var k = null;
function qe(e) {
	k = e;
}
function Je(e) {
	return Ke(k, "getContext").get(e);
}
function Ye(e, t) {
	return Ke(k, "setContext").set(e, t), t;
}
function Xe(e, t = !1, n) {
	k = {
		p: k,
		i: !1,
		c: null,
		e: null,
		s: e,
		x: null,
		r: H,
		l: null
	};
}
function Ze(e) {
	var t = k, n = t.e;
	if (n !== null) {
		t.e = null;
		for (var r of n) wn(r);
	}
	return e !== void 0 && (t.x = e), t.i = !0, k = t.p, Qe(e);
}
function Qe(e = {}) {
	return i(e, ae, { value: !0 }), e;
}
function $e() {
	return !0;
}
// node_modules/svelte/src/internal/client/dom/task.js
var et = [];
function tt() {
	var e = et;
	et = [], f(e);
}
function nt(e) {
	if (et.length === 0 && !Ot) {
		var t = et;
		queueMicrotask(() => {
			t === et && tt();
		});
	}
	et.push(e);
}
function rt() {
	for (; et.length > 0;) tt();
}
// node_modules/svelte/src/internal/client/reactivity/status.js
var it = ~(g | _ | h);
function A(e, t) {
	e.f = e.f & it | t;
}
function at(e) {
	e.f & 512 || e.deps === null ? A(e, h) : A(e, _);
}
// node_modules/svelte/src/internal/client/reactivity/utils.js
function ot(e, t) {
	e.f & 2048 ? t.set(e, g) : e.f & 4096 && t.get(e) !== 2048 && t.set(e, _), A(e, h);
}
// node_modules/svelte/src/internal/client/dom/elements/misc.js
var st = !1;
function ct() {
	st || (st = !0, document.addEventListener("reset", (e) => {
		Promise.resolve().then(() => {
			if (!e.defaultPrevented) for (let t of e.target.elements) t[fe]?.();
		});
	}, { capture: !0 }));
}
// node_modules/svelte/src/internal/client/dom/elements/bindings/shared.js
function lt(e) {
	var t = V, n = H;
	qn(null), Jn(null);
	try {
		return e();
	} finally {
		qn(t), Jn(n);
	}
}
function ut(e, t, n, r = n) {
	e.addEventListener(t, () => lt(n));
	let i = e[fe];
	e[fe] = i ? () => {
		i(), r(!0);
	} : () => r(!0), ct();
}
// node_modules/svelte/src/internal/client/reactivity/async.js
function dt(e, t, n, r) {
	let i = $e() ? ht : vt;
	var a = e.filter((e) => !e.settled), o = t.map(i);
	if (n.length === 0 && a.length === 0) {
		r(o);
		return;
	}
	var s = H, c = ft(), l = a.length === 1 ? a[0].promise : a.length > 1 ? Promise.all(a.map((e) => e.promise)) : null;
	function u(e) {
		if (!(s.f & 16384)) {
			c();
			try {
				r([...o, ...e]);
			} catch (e) {
				_n(e, s);
			}
			pt();
		}
	}
	var d = mt();
	if (n.length === 0) {
		l.then(() => u([])).finally(d);
		return;
	}
	function f() {
		Promise.all(n.map((e) => /* @__PURE__ */ _t(e))).then(u).catch((e) => _n(e, s)).finally(d);
	}
	l ? l.then(() => {
		s.f & 16384 ? d() : (c(), f(), pt());
	}) : f();
}
function ft() {
	var e = H, t = V, n = k, r = M;
	return function(i = !0) {
		Jn(e), qn(t), qe(n), i && !(e.f & 16384) && (r?.activate(), r?.apply());
	};
}
function pt(e = !0) {
	Jn(null), qn(null), qe(null), e && M?.deactivate();
}
function mt() {
	var e = H, t = e.b, n = M, r = !!t?.is_rendered();
	return t?.update_pending_count(1, n), n.increment(r, e), () => {
		t?.update_pending_count(-1, n), n.decrement(r, e);
	};
}
/*#__NO_SIDE_EFFECTS__*/
function ht(e) {
	var t = 2 | g;
	return H !== null && (H.f |= C), {
		ctx: k,
		deps: null,
		effects: null,
		equals: De,
		f: t,
		fn: e,
		reactions: null,
		rv: 0,
		v: T,
		wv: 0,
		parent: H,
		ac: null
	};
}
var gt = Symbol("obsolete");
/*#__NO_SIDE_EFFECTS__*/
function _t(e, t, n) {
	let r = H;
	r === null && je();
	var i = void 0, a = Gt(T), o = !V, s = /* @__PURE__ */ new Set();
	return On(() => {
		var t = H, n = p();
		i = n.promise;
		try {
			Promise.resolve(e()).then(n.resolve, (e) => {
				e !== pe && n.reject(e);
			}).finally(pt);
		} catch (e) {
			n.reject(e), pt();
		}
		var c = M;
		if (o) {
			if (t.f & 32768) var l = mt();
			if (r.b?.is_rendered()) c.async_deriveds.get(t)?.reject(gt);
			else for (let e of s.values()) e.reject(gt);
			s.add(n), c.async_deriveds.set(t, n);
		}
		let u = (e, t = void 0) => {
			l?.(), s.delete(n), t !== gt && (c.activate(), t ? (a.f |= re, Yt(a, t)) : (a.f & 8388608 && (a.f ^= re), Yt(a, e)), c.deactivate());
		};
		n.promise.then(u, (e) => u(null, e || "unknown"));
	}), Sn(() => {
		for (let e of s) e.reject(gt);
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
function j(e) {
	let t = /* @__PURE__ */ ht(e);
	return Xn(t), t;
}
/*#__NO_SIDE_EFFECTS__*/
function vt(e) {
	let t = /* @__PURE__ */ ht(e);
	return t.equals = ke, t;
}
function yt(e) {
	var t = e.effects;
	if (t !== null) {
		e.effects = null;
		for (var n = 0; n < t.length; n += 1) B(t[n]);
	}
}
function bt(e) {
	var t, n = H, r = e.parent;
	if (!Wn && r !== null && e.v !== T && r.f & 24576) return _e(), e.v;
	Jn(r);
	try {
		yt(e), t = cr(e);
	} finally {
		Jn(n);
	}
	return t;
}
function xt(e) {
	var t = bt(e);
	!e.equals(t) && (e.wv = ar(), (!M?.is_fork || e.deps === null) && (M === null ? e.v = t : (M.capture(e, t, !0), Tt?.capture(e, t, !0)), e.deps === null)) ? A(e, h) : Wn || (Et === null ? at(e) : (xn() || M?.is_fork) && Et.set(e, t));
}
function St(e) {
	if (e.effects !== null) for (let t of e.effects) (t.teardown || t.ac) && (t.teardown?.(), t.ac !== null && lt(() => {
		t.ac.abort(pe), t.ac = null;
	}), t.fn !== null && (t.teardown = d), dr(t, 0), Pn(t));
}
function Ct(e) {
	if (e.effects !== null) for (let t of e.effects) t.teardown && t.fn !== null && fr(t);
}
// node_modules/svelte/src/internal/client/reactivity/batch.js
var wt = null, M = null, Tt = null, Et = null, Dt = null, Ot = !1, kt = !1, At = null, jt = null, Mt = 0, Nt = 1, Pt = class e {
	id = Nt++;
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
		wt === null ? wt = this : (wt.next = this, this.prev = wt), wt = this;
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
			for (var r of n.d) A(r, g), t(r);
			for (r of n.m) A(r, _), t(r);
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
					t.f ^= h;
				}
			}
			n || e.push(t);
		}
		return this.#a = [], e;
	}
	#m() {
		this.started = !0;
		for (let [e, t] of this.#s) A(e, t), this.schedule(e);
		this.apply();
		for (var t = At = [], n = [], r = jt = []; this.#a.length > 0;) {
			Mt++ > 1e3 && (this.#b(), It());
			for (let e of this.#p()) try {
				this.#h(e, t, n);
			} catch (t) {
				throw Vt(e), this.#d() || this.discard(), t;
			}
		}
		if (M = null, r.length > 0) {
			var i = e.ensure();
			for (let e of r) i.schedule(e);
		}
		if (At = null, jt = null, this.#d()) {
			this.#y(n), this.#y(t);
			for (let [e, t] of this.#c) Bt(e, t);
			r.length > 0 && M.#m();
			return;
		}
		let a = this.#g();
		if (a) this.#y(n), this.#y(t), a.#v(this);
		else {
			this.#s.clear();
			for (let e of this.#e) e(this);
			this.#e.clear(), Tt = this, Rt(n), Rt(t), Tt = null, this.#i?.resolve();
			var o = M;
			this.#n === 0 && (this.#a.length === 0 || o !== null) && this.#b(), o !== null && (Ut.clear(), o.#m());
		}
	}
	#h(e, t, n) {
		e.f ^= h;
		for (var r = e.first; r !== null;) {
			var i = r.f, a = !!(i & 96);
			if (!(a && i & 1024 || i & 8192 || this.#c.has(r)) && r.fn !== null) {
				a ? r.f ^= h : i & 4 ? t.push(r) : or(r) && (i & 16 && this.add_dirty_reaction(r, _), fr(r));
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
					r & 4194320 && !this.async_deriveds.has(i) && (this.#s.delete(i), A(i, g), this.schedule(i));
				}
			}
		};
		for (let e of this.current.keys()) t(e);
		this.oncommit(() => e.discard()), e.#b(), M = this, this.#m();
	}
	#y(e) {
		for (var t = 0; t < e.length; t += 1) ot(e[t], this.#s);
	}
	capture(e, t, n = !1) {
		e.v !== T && !this.previous.has(e) && this.previous.set(e, e.v), e.f & 8388608 || (this.current.set(e, [t, n]), Et?.set(e, t)), this.is_fork || (e.v = t);
	}
	activate() {
		M = this;
	}
	deactivate() {
		M = null, Et = null;
	}
	flush() {
		try {
			kt = !0, M = this, this.#m();
		} finally {
			Mt = 0, Dt = null, At = null, jt = null, kt = !1, M = null, Et = null, Ut.clear();
		}
	}
	discard() {
		for (let e of this.#t) e(this);
		this.#t.clear();
		for (let e of this.async_deriveds.values()) e.reject(gt);
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
		this.#u || (this.#u = !0, nt(() => {
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
		return (this.#i ??= p()).promise;
	}
	static ensure() {
		if (M === null) {
			let t = M = new e();
			!kt && !Ot && nt(() => {
				t.started || t.flush();
			});
		}
		return M;
	}
	apply() {
		Et = null;
	}
	schedule(e) {
		Dt = e, e.b?.is_pending && e.f & 16777228 && !(e.f & 32768) ? e.b.defer_effect(e) : this.#a.push(e);
	}
	#b() {
		if (this.linked) {
			var e = this.prev, t = this.next;
			e === null || (e.next = t), t === null ? wt = e : t.prev = e, this.linked = !1;
		}
	}
};
function Ft(e) {
	var t = Ot, n = Tt;
	Tt = null, Ot = !0;
	try {
		var r;
		for (e && (Ft(), r = e());;) {
			if (rt(), M === null) return r;
			M.flush();
		}
	} finally {
		Ot = t, Tt = n;
	}
}
function It() {
	try {
		Ie();
	} catch (e) {
		_n(e, Dt);
	}
}
var Lt = null;
function Rt(e) {
	var t = e.length;
	if (t !== 0) {
		for (var n = 0; n < t;) {
			var r = e[n++];
			if (!(r.f & 24576) && or(r) && (Lt = /* @__PURE__ */ new Set(), fr(r), r.deps === null && r.first === null && r.nodes === null && r.teardown === null && r.ac === null && Ln(r), Lt?.size > 0)) {
				Ut.clear();
				for (let e of Lt) {
					if (e.f & 24576) continue;
					let t = [e], n = e.parent;
					for (; n !== null;) Lt.has(n) && (Lt.delete(n), t.push(n)), n = n.parent;
					for (let e = t.length - 1; e >= 0; e--) {
						let n = t[e];
						n.f & 24576 || fr(n);
					}
				}
				Lt.clear();
			}
		}
		Lt = null;
	}
}
function zt(e) {
	M.schedule(e);
}
function Bt(e, t) {
	if (!(e.f & 32 && e.f & 1024)) {
		e.f & 2048 ? t.d.push(e) : e.f & 4096 && t.m.push(e), A(e, h);
		for (var n = e.first; n !== null;) Bt(n, t), n = n.next;
	}
}
function Vt(e) {
	A(e, h);
	for (var t = e.first; t !== null;) Vt(t), t = t.next;
}
// node_modules/svelte/src/internal/client/reactivity/sources.js
var Ht = /* @__PURE__ */ new Set(), Ut = /* @__PURE__ */ new Map(), Wt = !1;
function Gt(e, t) {
	return {
		f: 0,
		v: e,
		reactions: null,
		equals: De,
		rv: 0,
		wv: 0
	};
}
/*#__NO_SIDE_EFFECTS__*/
function N(e, t) {
	let n = Gt(e, t);
	return Xn(n), n;
}
/*#__NO_SIDE_EFFECTS__*/
function Kt(e, t = !1, n = !0) {
	let r = Gt(e);
	return t || (r.equals = ke), r;
}
function P(e, t, n = !1) {
	return V !== null && (!Kn || V.f & 131072) && $e() && V.f & 4325394 && (Yn === null || !Yn.has(e)) && Be(), Yt(e, n ? en(t) : t, jt);
}
var qt = null, Jt = 0;
function Yt(e, t, n = null) {
	if (!e.equals(t)) {
		Wn ? Ut.set(e, t) : Ut.has(e) || Ut.set(e, e.v);
		var r = Pt.ensure();
		if (r.capture(e, t), e.f & 2) {
			let t = e;
			e.f & 2048 && bt(t), Et === null && at(t);
		}
		e.wv = ar(), qt = null, Jt = 0, $t(e, g, n), qt = null, $e() && H !== null && H.f & 1024 && !(H.f & 96) && ($n === null ? er([e]) : $n.push(e)), !r.is_fork && Ht.size > 0 && !Wt && Xt();
	}
	return t;
}
function Xt() {
	Wt = !1;
	for (let e of Ht) {
		e.f & 1024 && A(e, _);
		let t;
		try {
			t = or(e);
		} catch {
			t = !0;
		}
		t && fr(e);
	}
	Ht.clear();
}
function Zt(e, t = 1) {
	var n = U(e), r = t === 1 ? n++ : n--;
	return P(e, n), r;
}
function Qt(e) {
	P(e, e.v + 1);
}
function $t(e, t, n) {
	var r = e.reactions;
	if (r !== null) {
		var i = $e(), a = r.length;
		if (Jt += a, Jt > 1e5 && qt === null && (qt = /* @__PURE__ */ new Set()), qt !== null) {
			if (qt.has(e)) return;
			qt.add(e);
		}
		for (var o = 0; o < a; o++) {
			var s = r[o], c = s.f;
			if (i || s !== H) {
				var l = (c & g) === 0;
				if (l && A(s, t), c & 131072) Ht.add(s);
				else if (c & 2) {
					var u = s;
					Et?.delete(u), $t(u, _, n);
				} else if (l) {
					var d = s;
					c & 16 && Lt !== null && Lt.add(d), n === null ? zt(d) : n.push(d);
				}
			}
		}
	}
}
function en(t) {
	if (typeof t != "object" || !t || ie in t || ae in t) return t;
	let n = l(t);
	if (n !== s && n !== c) return t;
	var r = /* @__PURE__ */ new Map(), i = e(t), o = /* @__PURE__ */ N(0), u = null, d = rr, f = (e) => {
		if (rr === d) return e();
		var t = V, n = rr;
		qn(null), ir(d);
		var r = e();
		return qn(t), ir(n), r;
	};
	return i && r.set("length", /* @__PURE__ */ N(t.length, u)), new Proxy(t, {
		defineProperty(e, t, n) {
			"value" in n && n.configurable !== !1 && n.enumerable !== !1 && n.writable !== !1 || Re();
			var i = r.get(t);
			return i === void 0 ? f(() => {
				var e = /* @__PURE__ */ N(n.value, u);
				return r.set(t, e), e;
			}) : P(i, n.value, !0), !0;
		},
		deleteProperty(e, t) {
			var n = r.get(t);
			if (n === void 0) {
				if (t in e) {
					let e = f(() => /* @__PURE__ */ N(T, u));
					r.set(t, e), Qt(o);
				}
			} else P(n, T), Qt(o);
			return !0;
		},
		get(e, n, i) {
			if (n === ie) return t;
			var o = r.get(n), s = n in e;
			if (o === void 0 && (!s || a(e, n)?.writable) && (o = f(() => /* @__PURE__ */ N(en(s ? e[n] : T), u)), r.set(n, o)), o !== void 0) {
				var c = U(o);
				return c === T ? void 0 : c;
			}
			return Reflect.get(e, n, i);
		},
		getOwnPropertyDescriptor(e, t) {
			this.has?.(e, t);
			var n = Reflect.getOwnPropertyDescriptor(e, t), i = r.get(t);
			if (i !== void 0) {
				var a = U(i);
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
			if (t === ie) return !0;
			var n = r.get(t), i = n !== void 0 && n.v !== T || Reflect.has(e, t);
			return (n !== void 0 || (H !== null || V !== null) && (!i || a(e, t)?.writable)) && (n === void 0 && (n = f(() => /* @__PURE__ */ N(i ? en(e[t]) : T, u)), r.set(t, n)), U(n) === T) ? !1 : i;
		},
		set(e, t, n, s) {
			var c = r.get(t), l = t in e;
			if (i && t === "length") for (var d = n; d < c.v; d += 1) {
				var p = r.get(d + "");
				p === void 0 ? d in e && (p = f(() => /* @__PURE__ */ N(T, u)), r.set(d + "", p)) : P(p, T);
			}
			if (c === void 0) (!l || a(e, t)?.writable) && (c = f(() => /* @__PURE__ */ N(void 0, u)), P(c, en(n)), r.set(t, c));
			else {
				l = c.v !== T;
				var m = f(() => en(n));
				P(c, m);
			}
			var h = Reflect.getOwnPropertyDescriptor(e, t);
			if (h?.set && h.set.call(s, n), !l) {
				if (i && typeof t == "string") {
					var g = r.get("length"), _ = Number(t);
					Number.isInteger(_) && _ >= g.v && P(g, _ + 1);
				}
				Qt(o);
			}
			return !0;
		},
		ownKeys(e) {
			U(o);
			var t = Reflect.ownKeys(e).filter((e) => {
				var t = r.get(e);
				return t === void 0 || t.v !== T;
			});
			for (var [n, i] of r) i.v !== T && !(n in e) && t.push(n);
			return t;
		},
		setPrototypeOf() {
			ze();
		}
	});
}
function tn(e) {
	try {
		if (typeof e == "object" && e && ie in e) return e[ie];
	} catch {}
	return e;
}
function nn(e, t) {
	return Object.is(tn(e), tn(t));
}
var rn, an, on, sn;
function cn() {
	if (rn === void 0) {
		rn = window, an = /Firefox/.test(navigator.userAgent);
		var e = Element.prototype, t = Node.prototype, n = Text.prototype;
		on = a(t, "firstChild").get, sn = a(t, "nextSibling").get, u(e) && (e[le] = void 0, e[ce] = null, e[ue] = void 0, e.__e = void 0), u(n) && (n[de] = void 0);
	}
}
function ln(e = "") {
	return document.createTextNode(e);
}
/*@__NO_SIDE_EFFECTS__*/
function un(e) {
	return on.call(e);
}
/*@__NO_SIDE_EFFECTS__*/
function dn(e) {
	return sn.call(e);
}
function F(e, t) {
	if (!E) return /* @__PURE__ */ un(e);
	var n = /* @__PURE__ */ un(D);
	if (n === null) n = D.appendChild(ln());
	else if (t && n.nodeType !== 3) {
		var r = ln();
		return n?.before(r), Se(r), r;
	}
	return t && hn(n), Se(n), n;
}
function I(e, t = !1) {
	if (!E) {
		var n = /* @__PURE__ */ un(e);
		return n instanceof Comment && n.data === "" ? /* @__PURE__ */ dn(n) : n;
	}
	if (t) {
		if (D?.nodeType !== 3) {
			var r = ln();
			return D?.before(r), Se(r), r;
		}
		hn(D);
	}
	return D;
}
function L(e, t = !1) {
	if (!E) return /* @__PURE__ */ un(e);
	var n = F(e, t);
	return O(e), n;
}
function R(e, t = 1, n = !1) {
	let r = E ? D : e;
	for (var i; t--;) i = r, r = /* @__PURE__ */ dn(r);
	if (!E) return r;
	if (n) {
		if (r?.nodeType !== 3) {
			var a = ln();
			return r === null ? i?.after(a) : r.before(a), Se(a), a;
		}
		hn(r);
	}
	return Se(r), r;
}
function fn(e) {
	e.textContent = "";
}
function pn() {
	return !1;
}
function mn(e, t, n) {
	return t == null || t === "http://www.w3.org/1999/xhtml" ? n ? document.createElement(e, { is: n }) : document.createElement(e) : n ? document.createElementNS(t, e, { is: n }) : document.createElementNS(t, e);
}
function hn(e) {
	if (e.nodeValue.length < 65536) return;
	let t = e.nextSibling;
	for (; t !== null && t.nodeType === 3;) t.remove(), e.nodeValue += t.nodeValue, t = e.nextSibling;
}
function gn(e) {
	var t = H;
	if (t === null) return V.f |= re, e;
	if (!(t.f & 32768) && !(t.f & 4)) throw e;
	_n(e, t);
}
function _n(e, t) {
	if (e === he) throw e;
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
function vn(e) {
	H === null && (V === null && Fe(e), Pe()), Wn && Ne(e);
}
function yn(e, t) {
	var n = t.last;
	n === null ? t.last = t.first = e : (n.next = e, e.prev = n, t.last = e);
}
function bn(e, t) {
	var n = H;
	n !== null && n.f & 8192 && (e |= v);
	var r = {
		ctx: k,
		deps: null,
		nodes: null,
		f: e | g | 512,
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
	M?.register_created_effect(r);
	var i = r;
	if (e & 4) At === null ? Pt.ensure().schedule(r) : At.push(r);
	else if (t !== null) {
		try {
			fr(r);
		} catch (e) {
			throw B(r), e;
		}
		i.deps === null && i.teardown === null && i.nodes === null && i.first === i.last && !(i.f & 524288) && (i = i.first, e & 16 && e & 65536 && i !== null && (i.f |= S));
	}
	if (i !== null && (i.parent = n, n !== null && yn(i, n), V !== null && V.f & 2 && !(e & 64))) {
		var a = V;
		(a.effects ??= []).push(i);
	}
	return r;
}
function xn() {
	return V !== null && !Kn;
}
function Sn(e) {
	let t = bn(8, null);
	return A(t, h), t.teardown = e, t;
}
function Cn(e) {
	vn("$effect");
	var t = H.f;
	if (!V && t & 32 && k !== null && !k.i) {
		var n = k;
		(n.e ??= []).push(e);
	} else return wn(e);
}
function wn(e) {
	return bn(4 | w, e);
}
function Tn(e) {
	Pt.ensure();
	let t = bn(64 | C, e);
	return () => {
		B(t);
	};
}
function En(e) {
	Pt.ensure();
	let t = bn(64 | C, e);
	return (e = {}) => new Promise((n) => {
		e.outro ? Rn(t, () => {
			B(t), n(void 0);
		}) : (B(t), n(void 0));
	});
}
function Dn(e) {
	return bn(4, e);
}
function On(e) {
	return bn(ne | C, e);
}
function kn(e, t = 0) {
	return bn(8 | t, e);
}
function z(e, t = [], n = [], r = []) {
	dt(r, t, n, (t) => {
		bn(8, () => {
			e(...t.map(U));
		});
	});
}
function An(e, t = 0) {
	return bn(16 | t, e);
}
function jn(e, t = 0) {
	return bn(m | t, e);
}
function Mn(e) {
	return bn(32 | C, e);
}
function Nn(e) {
	var t = e.teardown;
	if (t !== null) {
		let n = Wn, r = V;
		Gn(!0), qn(null);
		try {
			t.call(null);
		} catch (t) {
			_n(t, e.parent);
		} finally {
			Gn(n), qn(r);
		}
	}
}
function Pn(e, t = !1) {
	var n = e.first;
	for (e.first = e.last = null; n !== null;) {
		let e = n.ac;
		e !== null && lt(() => {
			e.abort(pe);
		});
		var r = n.next;
		n.f & 64 ? n.parent = null : B(n, t), n = r;
	}
}
function Fn(e) {
	for (var t = e.first; t !== null;) {
		var n = t.next;
		t.f & 32 || B(t), t = n;
	}
}
function B(e, t = !0) {
	var n = !1;
	(t || e.f & 262144) && e.nodes !== null && e.nodes.end !== null && (In(e.nodes.start, e.nodes.end), n = !0), e.f |= x, Pn(e, t && !n), dr(e, 0);
	var r = e.nodes && e.nodes.t;
	if (r !== null) for (let e of r) e.stop();
	Nn(e), e.f ^= x, e.f |= y;
	var i = e.parent;
	i !== null && i.first !== null && Ln(e), e.next = e.prev = e.teardown = e.ctx = e.deps = e.fn = e.nodes = e.ac = e.b = null;
}
function In(e, t) {
	for (; e !== null;) {
		var n = e === t ? null : /* @__PURE__ */ dn(e);
		e.remove(), e = n;
	}
}
function Ln(e) {
	var t = e.parent, n = e.prev, r = e.next;
	n !== null && (n.next = r), r !== null && (r.prev = n), t !== null && (t.first === e && (t.first = r), t.last === e && (t.last = n));
}
function Rn(e, t, n = !0) {
	var r = [];
	e.f |= 256, zn(e, r, !0);
	var i = () => {
		n && B(e), t && t();
	}, a = r.length;
	if (a > 0) {
		var o = () => --a || i();
		for (var s of r) s.out(o);
	} else i();
}
function zn(e, t, n) {
	if (!(e.f & 8192)) {
		e.f ^= v;
		var r = e.nodes && e.nodes.t;
		if (r !== null) for (let e of r) (e.is_global || n) && t.push(e);
		for (var i = e.first; i !== null;) {
			var a = i.next;
			if (!(i.f & 64)) {
				var o = !!(i.f & 65536) || !!(i.f & 32) && !!(e.f & 16);
				zn(i, t, o ? n : !1);
			}
			i = a;
		}
	}
}
function Bn(e) {
	e.f &= -257, Vn(e, !0);
}
function Vn(e, t) {
	if (!(e.f & 256) && e.f & 8192) {
		e.f ^= v, e.f & 1024 || (A(e, g), Pt.ensure().schedule(e));
		for (var n = e.first; n !== null;) {
			var r = n.next, i = !!(n.f & 65536) || !!(n.f & 32);
			Vn(n, i ? t : !1), n = r;
		}
		var a = e.nodes && e.nodes.t;
		if (a !== null) for (let e of a) (e.is_global || t) && e.in();
	}
}
function Hn(e, t) {
	if (e.nodes) for (var n = e.nodes.start, r = e.nodes.end; n !== null;) {
		var i = n === r ? null : /* @__PURE__ */ dn(n);
		t.append(n), n = i;
	}
}
// node_modules/svelte/src/internal/client/legacy.js
var Un = null, Wn = !1;
function Gn(e) {
	Wn = e;
}
var V = null, Kn = !1;
function qn(e) {
	V = e;
}
var H = null;
function Jn(e) {
	H = e;
}
var Yn = null;
function Xn(e) {
	V !== null && (V.f & 2097152 || V.f & 2) && (Yn ??= /* @__PURE__ */ new Set()).add(e);
}
var Zn = null, Qn = 0, $n = null;
function er(e) {
	$n = e;
}
var tr = 1, nr = 0, rr = nr;
function ir(e) {
	rr = e;
}
function ar() {
	return ++tr;
}
function or(e) {
	var t = e.f;
	if (t & 2048) return !0;
	if (t & 4096) {
		for (var n = e.deps, r = n.length, i = 0; i < r; i++) {
			var a = n[i];
			if (or(a) && xt(a), a.wv > e.wv) return !0;
		}
		t & 512 && Et === null && A(e, h);
	}
	return !1;
}
function sr(e, t, n = !0) {
	var r = e.reactions;
	if (r !== null && !(Yn !== null && Yn.has(e))) for (var i = 0; i < r.length; i++) {
		var a = r[i];
		a.f & 2 ? sr(a, t, !1) : t === a && (n ? A(a, g) : a.f & 1024 && A(a, _), zt(a));
	}
}
function cr(e) {
	var t = Zn, n = Qn, r = $n, i = V, a = Yn, o = k, s = Kn, c = rr, l = e.f;
	Zn = null, Qn = 0, $n = null, V = l & 96 ? null : e, Yn = null, qe(e.ctx), Kn = !1, rr = ++nr, e.ac !== null && (lt(() => {
		e.ac.abort(pe);
	}), e.ac = null);
	try {
		e.f |= te;
		var u = e.fn, d = u();
		e.f |= b;
		var f = lr(e);
		if ($e() && $n !== null && !Kn && f !== null && !(e.f & 6146)) for (var p = 0; p < $n.length; p++) sr($n[p], e);
		if (i !== null && i !== e) {
			if (nr++, i.deps !== null) for (let e = 0; e < n; e += 1) i.deps[e].rv = nr;
			if (t !== null) for (let e of t) e.rv = nr;
			$n !== null && (r === null ? r = $n : r.push(...$n));
		}
		return e.f & 8388608 && (e.f ^= re), d;
	} catch (t) {
		return lr(e), gn(t);
	} finally {
		e.f ^= te, Zn = t, Qn = n, $n = r, V = i, Yn = a, qe(o), Kn = s, rr = c;
	}
}
function lr(e) {
	var t = e.deps, n = M?.is_fork;
	if (Zn !== null) {
		var r;
		if (n || dr(e, Qn), t !== null && Qn > 0) for (t.length = Qn + Zn.length, r = 0; r < Zn.length; r++) t[Qn + r] = Zn[r];
		else e.deps = t = Zn;
		if (xn() && e.f & 512) for (r = Qn; r < t.length; r++) (t[r].reactions ??= []).push(e);
	} else !n && t !== null && Qn < t.length && (dr(e, Qn), t.length = Qn);
	return t;
}
function ur(e, r) {
	let i = r.reactions;
	if (i !== null) {
		var a = t.call(i, e);
		if (a !== -1) {
			var o = i.length - 1;
			o === 0 ? i = r.reactions = null : (i[a] = i[o], i.pop());
		}
	}
	if (i === null && r.f & 2 && (Zn === null || !n.call(Zn, r))) {
		var s = r;
		s.f & 512 && (s.f ^= 512), s.v !== T && at(s), s.ac !== null && lt(() => {
			s.ac.abort(pe), s.ac = null, A(s, g);
		}), St(s), dr(s, 0);
	}
}
function dr(e, t) {
	var n = e.deps;
	if (n !== null) for (var r = t; r < n.length; r++) ur(e, n[r]);
}
function fr(e) {
	var t = e.f;
	if (!(t & 16384)) {
		A(e, h);
		var n = H;
		H = e;
		try {
			t & 16777232 ? Fn(e) : Pn(e), Nn(e);
			var r = cr(e);
			e.teardown = typeof r == "function" ? r : null, e.wv = tr;
		} finally {
			H = n;
		}
	}
}
async function pr() {
	await Promise.resolve(), Ft();
}
function U(e) {
	var t = !!(e.f & 2);
	if (Un?.add(e), V !== null && !Kn && !(H !== null && H.f & 16384) && (Yn === null || !Yn.has(e))) {
		var r = V.deps;
		if (V.f & 2097152) e.rv < nr && (e.rv = nr, Zn === null && r !== null && r[Qn] === e ? Qn++ : Zn === null ? Zn = [e] : Zn.push(e));
		else {
			V.deps ??= [], n.call(V.deps, e) || V.deps.push(e);
			var i = e.reactions;
			i === null ? e.reactions = [V] : n.call(i, V) || i.push(V);
		}
	}
	if (Wn && Ut.has(e)) return Ut.get(e);
	if (t) {
		var a = e;
		if (Wn) {
			var o = a.v;
			return (!(a.f & 1024) && a.reactions !== null || hr(a)) && (o = bt(a)), Ut.set(a, o), o;
		}
		var s = !(a.f & 512) && !Kn && V !== null && !!(V.f & 512), c = (a.f & b) === 0;
		or(a) && (s && (a.f |= 512), xt(a)), s && !c && (Ct(a), mr(a));
	}
	if (Et?.has(e)) return Et.get(e);
	if (e.f & 8388608) throw e.v;
	return e.v;
}
function mr(e) {
	if (e.f |= 512, e.deps !== null) for (let r of e.deps) {
		var t = r.reactions;
		t === null ? r.reactions = [e] : n.call(t, e) || t.push(e), r.f & 2 && !(r.f & 512) && (Ct(r), mr(r));
	}
}
function hr(e) {
	if (e.v === T) return !0;
	if (e.deps === null) return !1;
	for (let t of e.deps) if (Ut.has(t) || t.f & 2 && hr(t)) return !0;
	return !1;
}
function gr(e) {
	var t = Kn;
	try {
		return Kn = !0, e();
	} finally {
		Kn = t;
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
		if (r.capture || Dr.call(t, e), !e.cancelBubble) return lt(() => n?.call(this, e));
	}
	return e.startsWith("pointer") || e.startsWith("touch") || e === "wheel" ? (i.__removed = !1, nt(() => {
		i.__removed || t.addEventListener(e, i, r);
	})) : t.addEventListener(e, i, r), i;
}
function Cr(e, t, n, r, i) {
	var a = {
		capture: r,
		passive: i
	}, o = Sr(e, t, n, a);
	(t === document.body || t === window || t === document || t instanceof HTMLMediaElement) && Sn(() => {
		o.__removed = !0, t.removeEventListener(e, o, a);
	});
}
function W(e, t, n) {
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
		var d = V, f = H;
		qn(null), Jn(null);
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
			e[yr] = t, delete e.currentTarget, qn(d), Jn(f);
		}
	}
}
// node_modules/svelte/src/internal/client/dom/reconciler.js
var Or = globalThis?.window?.trustedTypes && /* @__PURE__ */ globalThis.window.trustedTypes.createPolicy("svelte-trusted-html", { createHTML: (e) => e });
function kr(e) {
	return Or?.createHTML(e) ?? e;
}
function Ar(e) {
	var t = mn("template");
	return t.innerHTML = kr(e.replaceAll("<!>", "<!---->")), t.content;
}
// node_modules/svelte/src/internal/client/dom/template.js
function jr(e, t) {
	var n = H;
	n.nodes === null && (n.nodes = {
		start: e,
		end: t,
		a: null,
		t: null
	});
}
/*#__NO_SIDE_EFFECTS__*/
function G(e, t) {
	var n = !!(t & 1), r = !!(t & 2), i, a = !e.startsWith("<!>");
	return () => {
		if (E) return jr(D, null), D;
		i === void 0 && (i = Ar(a ? e : "<!>" + e), n || (i = /* @__PURE__ */ un(i)));
		var t = r || an ? document.importNode(i, !0) : i.cloneNode(!0);
		if (n) {
			var o = /* @__PURE__ */ un(t), s = t.lastChild;
			jr(o, s);
		} else jr(t, t);
		return t;
	};
}
function Mr(e = "") {
	if (!E) {
		var t = ln(e + "");
		return jr(t, t), t;
	}
	var n = D;
	return n.nodeType === 3 ? hn(n) : (n.before(n = ln()), Se(n)), jr(n, n), n;
}
function Nr() {
	if (E) return jr(D, null), D;
	var e = document.createDocumentFragment(), t = document.createComment(""), n = ln();
	return e.append(t, n), jr(t, n), e;
}
function K(e, t) {
	if (E) {
		var n = H;
		n.f & 32768 && n.nodes.end !== null || (n.nodes.end = D), Ce();
	} else e !== null && e.before(t);
}
// node_modules/svelte/src/reactivity/create-subscriber.js
function Pr(e) {
	let t = 0, n = Gt(0), r;
	return () => {
		xn() && (U(n), kn(() => (t === 0 && (r = gr(() => e(() => Qt(n)))), t += 1, () => {
			nt(() => {
				--t, t === 0 && (r?.(), r = void 0, Qt(n));
			});
		})));
	};
}
// node_modules/svelte/src/internal/client/dom/blocks/boundary.js
var Fr = S | C;
function Ir(e, t, n, r) {
	new Lr(e, t, n, r);
}
var Lr = class {
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
	#m = Pr(() => (this.#p = Gt(this.#l), () => {
		this.#p = null;
	}));
	constructor(e, t, n, r) {
		this.#e = e, this.#n = t, this.#r = (e) => {
			var t = H;
			t.b = this, t.f |= 128, n(e);
		}, this.parent = H.b, this.transform_error = r ?? this.parent?.transform_error ?? ((e) => e), this.#i = An(() => {
			if (E) {
				let e = Ee(this.#t);
				Ce();
				let t = e === "[!";
				if (e.startsWith("[?")) {
					let t = JSON.parse(e.slice(2));
					this.#g(t);
				} else t ? this.#y() : this.#h();
			} else this.#b();
		}, Fr), E && (this.#e = D);
	}
	#h() {
		try {
			this.#a = Mn(() => this.#r(this.#e));
		} catch (e) {
			this.error(e);
		}
	}
	#g(e) {
		let t = this.#n.failed, { reset: n, invoke_onerror: r } = this.#_(e);
		nt(r), t && (this.#s = Mn(() => {
			t(this.#e, () => e, () => n);
		}));
	}
	#_(e) {
		var t = !1, n = !1;
		let r = () => {
			this.#v() || (t ? be() : (t = !0, n && Ve(), this.#s !== null && Rn(this.#s, () => {
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
					_n(e, this.#i && this.#i.parent);
				}
			}
		};
	}
	#v() {
		return (this.#i.f & (y | x)) !== 0;
	}
	#y() {
		let e = this.#n.pending;
		e && (this.is_pending = !0, this.#o = Mn(() => e(this.#e)), nt(() => {
			if (!this.#v()) {
				var e = this.#c = document.createDocumentFragment(), t = ln(), n = !1;
				e.append(t), this.#a = this.#S(() => {
					try {
						return Mn(() => this.#r(t));
					} catch (e) {
						try {
							this.error(e), n = !0;
						} catch (e) {
							_n(e, this.#i.parent);
						}
						return null;
					}
				}), this.#a === null ? (this.#c = null, n && this.#x(M)) : this.#u === 0 && (this.#e.before(e), this.#c = null, Rn(this.#o, () => {
					this.#o = null;
				}), this.#x(M));
			}
		}));
	}
	#b() {
		try {
			if (this.is_pending = this.has_pending_snippet(), this.#u = 0, this.#l = 0, this.#a = Mn(() => {
				this.#r(this.#e);
			}), this.#u > 0) {
				var e = this.#c = document.createDocumentFragment();
				Hn(this.#a, e);
				let t = this.#n.pending;
				this.#o = Mn(() => t(this.#e));
			} else this.#x(M);
		} catch (e) {
			this.error(e);
		}
	}
	#x(e) {
		this.is_pending = !1, e.transfer_reactions(this.#f);
	}
	defer_effect(e) {
		ot(e, this.#f);
	}
	is_rendered() {
		return !this.is_pending && (!this.parent || this.parent.is_rendered());
	}
	has_pending_snippet() {
		return !!this.#n.pending;
	}
	#S(e) {
		var t = H, n = V, r = k;
		Jn(this.#i), qn(this.#i), qe(this.#i.ctx);
		try {
			return Pt.ensure(), e();
		} finally {
			Jn(t), qn(n), qe(r);
		}
	}
	#C(e, t) {
		this.has_pending_snippet() ? (this.#u += e, this.#u === 0 && (this.#x(t), this.#o && Rn(this.#o, () => {
			this.#o = null;
		}), this.#c &&= (this.#e.before(this.#c), null))) : this.parent && this.parent.#C(e, t);
	}
	update_pending_count(e, t) {
		this.#C(e, t), this.#l += e, !this.#p || this.#d || (this.#d = !0, nt(() => {
			this.#d = !1, this.#p && Yt(this.#p, this.#l);
		}));
	}
	get_effect_pending() {
		return this.#m(), U(this.#p);
	}
	error(e) {
		if (e === he || !this.#n.onerror && !this.#n.failed) throw e;
		M?.is_fork ? (this.#a && M.skip_effect(this.#a), this.#o && M.skip_effect(this.#o), this.#s && M.skip_effect(this.#s), M.oncommit(() => {
			this.#v() || this.#w(e);
		})) : this.#w(e);
	}
	#w(e) {
		this.#a &&= (B(this.#a), null), this.#o &&= (B(this.#o), null), this.#s &&= (B(this.#s), null), E && (Se(this.#t), we(), Se(Te()));
		let t = this.#n.failed, n = (e) => {
			if (this.#v()) return;
			let { reset: n, invoke_onerror: r } = this.#_(e);
			r(), t && !this.#v() && (this.#s = this.#S(() => {
				try {
					return Mn(() => {
						var r = H;
						r.b = this, r.f |= 128, t(this.#e, () => e, () => n);
					});
				} catch (e) {
					return _n(e, this.#i.parent), null;
				}
			}));
		};
		nt(() => {
			if (!this.#v()) {
				var t;
				try {
					t = this.transform_error(e);
				} catch (e) {
					_n(e, this.#i && this.#i.parent);
					return;
				}
				typeof t == "object" && t && typeof t.then == "function" ? t.then(n, (e) => _n(e, this.#i && this.#i.parent)) : n(t);
			}
		});
	}
};
function q(e, t) {
	var n = t == null ? "" : typeof t == "object" ? `${t}` : t;
	n !== (e[de] ??= e.nodeValue) && (e[de] = n, e.nodeValue = `${n}`);
}
function Rr(e, t) {
	return Br(e, t);
}
var zr = /* @__PURE__ */ new Map();
function Br(e, { target: t, anchor: n, props: i = {}, events: a, context: o, intro: s = !0, transformError: c }) {
	cn();
	var l = void 0, u = En(() => {
		var s = n ?? t.appendChild(ln());
		Ir(s, { pending: () => {} }, (t) => {
			Xe({});
			var n = k;
			if (o && (n.c = o), a && (i.$$events = a), E && jr(t, null), l = e(t, i) || Qe(), E && (H.nodes.end = D, D === null || D.nodeType !== 8 || D.data !== "]")) throw ve(), he;
			Ze();
		}, c);
		var u = /* @__PURE__ */ new Set(), d = (e) => {
			for (var n = 0; n < e.length; n++) {
				var r = e[n];
				if (!u.has(r)) {
					u.add(r);
					var i = vr(r);
					for (let e of [t, document]) {
						var a = zr.get(e);
						a === void 0 && (a = /* @__PURE__ */ new Map(), zr.set(e, a));
						var o = a.get(r);
						o === void 0 ? (e.addEventListener(r, Dr, { passive: i }), a.set(r, 1)) : a.set(r, o + 1);
					}
				}
			}
		};
		return d(r(br)), xr.add(d), () => {
			for (var e of u) for (let n of [t, document]) {
				var r = zr.get(n), i = r.get(e);
				--i == 0 ? (n.removeEventListener(e, Dr), r.delete(e), r.size === 0 && zr.delete(n)) : r.set(e, i);
			}
			xr.delete(d), s !== n && s.parentNode?.removeChild(s);
		};
	});
	return Vr.set(l, u), l;
}
var Vr = /* @__PURE__ */ new WeakMap();
function Hr(e, t) {
	let n = Vr.get(e);
	return n ? (Vr.delete(e), n(t)) : Promise.resolve();
}
// node_modules/svelte/src/internal/client/dom/blocks/branches.js
var Ur = class {
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
			if (n) Bn(n), this.#r.delete(t);
			else {
				var r = this.#n.get(t);
				r && (Bn(r.effect), this.#t.set(t, r.effect), this.#n.delete(t), r.fragment.lastChild.remove(), this.anchor.before(r.fragment), n = r.effect);
			}
			for (let [t, n] of this.#e) {
				if (this.#e.delete(t), t === e) break;
				let r = this.#n.get(n);
				r && (B(r.effect), this.#n.delete(n));
			}
			for (let [e, r] of this.#t) {
				if (e === t || this.#r.has(e)) continue;
				let i = () => {
					if (Array.from(this.#e.values()).includes(e)) {
						var t = document.createDocumentFragment();
						Hn(r, t), t.append(ln()), this.#n.set(e, {
							effect: r,
							fragment: t
						});
					} else B(r);
					this.#r.delete(e), this.#t.delete(e);
				};
				this.#i || !n ? (this.#r.add(e), Rn(r, i, !1)) : i();
			}
		}
	};
	#o = (e) => {
		this.#e.delete(e);
		let t = Array.from(this.#e.values());
		for (let [e, n] of this.#n) t.includes(e) || (B(n.effect), this.#n.delete(e));
	};
	ensure(e, t) {
		var n = M, r = pn();
		if (t && !this.#t.has(e) && !this.#n.has(e)) {
			if (r) {
				var i = document.createDocumentFragment(), a = ln();
				i.append(a), this.#n.set(e, {
					effect: Mn(() => t(a)),
					fragment: i
				});
			} else this.#t.set(e, Mn(() => t(this.anchor)));
		}
		if (this.#e.set(n, e), r) {
			for (let [t, r] of this.#t) t === e ? n.unskip_effect(r) : n.skip_effect(r);
			for (let [t, r] of this.#n) t === e ? n.unskip_effect(r.effect) : n.skip_effect(r.effect);
			n.oncommit(this.#a), n.ondiscard(this.#o);
		} else E && (this.anchor = D), this.#a(n);
	}
};
// node_modules/svelte/src/internal/client/dom/blocks/if.js
function J(e, t, n = !1) {
	var r;
	E && (r = D, Ce());
	var i = new Ur(e), a = n ? S : 0;
	function o(e, t) {
		if (E) {
			var n = Ee(r);
			if (e !== parseInt(n.substring(1))) {
				var a = Te();
				Se(a), i.anchor = a, xe(!1), i.ensure(e, t), xe(!0);
				return;
			}
		}
		i.ensure(e, t);
	}
	An(() => {
		var e = !1;
		t((t, n = 0) => {
			e = !0, o(n, t);
		}), e || o(-1, null);
	}, a);
}
// node_modules/svelte/src/internal/client/dom/blocks/each.js
function Wr(e, t) {
	return t;
}
function Gr(e, t, n) {
	for (var i = [], a = t.length, o, s = t.length, c = 0; c < a; c++) {
		let n = t[c];
		Rn(n, () => {
			if (o) {
				if (o.pending.delete(n), o.done.add(n), o.pending.size === 0) {
					var t = e.outrogroups;
					Kr(e, r(o.done)), t.delete(o), t.size === 0 && (e.outrogroups = null);
				}
			} else --s;
		}, !1);
	}
	if (s === 0) {
		var l = i.length === 0 && n !== null && e.pending.size === 0;
		if (l) {
			var u = n, d = u.parentNode;
			fn(d), d.append(u), e.items.clear();
		}
		Kr(e, t, !l);
	} else o = {
		pending: new Set(t),
		done: /* @__PURE__ */ new Set()
	}, (e.outrogroups ??= /* @__PURE__ */ new Set()).add(o);
}
function Kr(e, t, n = !0) {
	var r;
	if (e.pending.size > 0) {
		r = /* @__PURE__ */ new Set();
		for (let t of e.pending.values()) for (let n of t) r.add(e.items.get(n).e);
	}
	for (var i = 0; i < t.length; i++) {
		var a = t[i];
		r?.has(a) ? (a.f |= ee, Hn(a, document.createDocumentFragment())) : B(t[i], n);
	}
}
var qr;
function Y(t, n, i, a, o, s = null) {
	var c = t, l = /* @__PURE__ */ new Map();
	if (n & 4) {
		var u = t;
		c = E ? Se(/* @__PURE__ */ un(u)) : u.appendChild(ln());
	}
	E && Ce();
	var d = null, f = /* @__PURE__ */ vt(() => {
		var t = i();
		return e(t) ? t : t == null ? [] : r(t);
	}), p = /* @__PURE__ */ new Map(), m = !0;
	function h(e) {
		if (!(_.effect.f & 16384)) {
			_.pending.delete(e);
			var t = U(f);
			_.fallback = d, Yr(_, t, c, n, a), d !== null && (t.length === 0 ? d.f & 33554432 ? (d.f ^= ee, Zr(d, null, c)) : Bn(d) : Rn(d, () => {
				d = null;
			}));
		}
	}
	function g(e) {
		_.pending.delete(e);
	}
	var _ = {
		effect: An(() => {
			var e = U(f), t = e.length;
			let r = !1;
			E && Ee(c) === "[!" != (t === 0) && (c = Te(), Se(c), xe(!1), r = !0);
			for (var u = /* @__PURE__ */ new Set(), _ = M, v = pn(), y = 0; y < t; y += 1) {
				E && D.nodeType === 8 && D.data === "]" && (c = D, r = !0, xe(!1));
				var b = e[y], x = a(b, y), S = m ? null : l.get(x);
				S ? (S.v && Yt(S.v, b), S.i && Yt(S.i, y), v && _.unskip_effect(S.e)) : (S = Xr(l, m ? c : qr ??= ln(), b, x, y, o, n, i), m || (S.e.f |= ee), l.set(x, S)), u.add(x);
			}
			if (t === 0 && s && !d && (m ? d = Mn(() => s(c)) : (d = Mn(() => s(qr ??= ln())), d.f |= ee)), t > u.size && Me("", "", ""), E && t > 0 && Se(Te()), !m) {
				if (p.set(_, u), v) {
					for (let [e, t] of l) u.has(e) || _.skip_effect(t.e);
					_.oncommit(h), _.ondiscard(g);
				} else h(_);
			}
			r && xe(!0), U(f);
		}),
		flags: n,
		items: l,
		pending: p,
		outrogroups: null,
		fallback: d
	};
	m = !1, E && (c = D);
}
function Jr(e) {
	for (; e !== null && !(e.f & 32);) e = e.next;
	return e;
}
function Yr(e, t, n, i, a) {
	var o = !!(i & 8), s = t.length, c = e.items, l = Jr(e.effect.first), u, d = null, f, p = [], m = [], h, g, _, v;
	if (o) for (v = 0; v < s; v += 1) h = t[v], g = a(h, v), _ = c.get(g).e, _.f & 33554432 || (_.nodes?.a?.measure(), (f ??= /* @__PURE__ */ new Set()).add(_));
	for (v = 0; v < s; v += 1) {
		if (h = t[v], g = a(h, v), _ = c.get(g).e, e.outrogroups !== null) for (let t of e.outrogroups) t.pending.delete(_), t.done.delete(_);
		if (_.f & 8192 && (Bn(_), o && (_.nodes?.a?.unfix(), (f ??= /* @__PURE__ */ new Set()).delete(_))), _.f & 33554432) {
			if (_.f ^= ee, _ === l) Zr(_, null, n);
			else {
				var y = d ? d.next : l;
				_ === e.effect.last && (e.effect.last = _.prev), _.prev && (_.prev.next = _.next), _.next && (_.next.prev = _.prev), Qr(e, d, _), Qr(e, _, y), Zr(_, y, n), d = _, p = [], m = [], l = Jr(d.next);
				continue;
			}
		}
		if (_ !== l) {
			if (u !== void 0 && u.has(_)) {
				if (p.length < m.length) {
					var b = m[0], x;
					d = b.prev;
					var S = p[0], C = p[p.length - 1];
					for (x = 0; x < p.length; x += 1) Zr(p[x], b, n);
					for (x = 0; x < m.length; x += 1) u.delete(m[x]);
					Qr(e, S.prev, C.next), Qr(e, d, S), Qr(e, C, b), l = b, d = C, --v, p = [], m = [];
				} else u.delete(_), Zr(_, l, n), Qr(e, _.prev, _.next), Qr(e, _, d === null ? e.effect.first : d.next), Qr(e, d, _), d = _;
				continue;
			}
			for (p = [], m = []; l !== null && l !== _;) (u ??= /* @__PURE__ */ new Set()).add(l), m.push(l), l = Jr(l.next);
			if (l === null) continue;
		}
		_.f & 33554432 || p.push(_), d = _, l = Jr(_.next);
	}
	if (e.outrogroups !== null) {
		for (let t of e.outrogroups) t.pending.size === 0 && (Kr(e, r(t.done)), e.outrogroups?.delete(t));
		e.outrogroups.size === 0 && (e.outrogroups = null);
	}
	if (l !== null || u !== void 0) {
		var w = [];
		if (u !== void 0) for (_ of u) _.f & 8192 || w.push(_);
		for (; l !== null;) !(l.f & 8192) && l !== e.fallback && w.push(l), l = Jr(l.next);
		var te = w.length;
		if (te > 0) {
			var ne = i & 4 && s === 0 ? n : null;
			if (o) {
				for (v = 0; v < te; v += 1) w[v].nodes?.a?.measure();
				for (v = 0; v < te; v += 1) w[v].nodes?.a?.fix();
			}
			Gr(e, w, ne);
		}
	}
	o && nt(() => {
		if (f !== void 0) for (_ of f) _.nodes?.a?.apply();
	});
}
function Xr(e, t, n, r, i, a, o, s) {
	var c = o & 1 ? o & 16 ? Gt(n) : /* @__PURE__ */ Kt(n, !1, !1) : null, l = o & 2 ? Gt(i) : null;
	return {
		v: c,
		i: l,
		e: Mn(() => (a(t, c ?? n, l ?? i, s), () => {
			e.delete(r);
		}))
	};
}
function Zr(e, t, n) {
	if (e.nodes) for (var r = e.nodes.start, i = e.nodes.end, a = t && !(t.f & 33554432) ? t.nodes.start : n; r !== null;) {
		var o = /* @__PURE__ */ dn(r);
		if (a.before(r), r === i) return;
		r = o;
	}
}
function Qr(e, t, n) {
	t === null ? e.effect.first = n : t.next = n, n === null ? e.effect.last = t : n.prev = t;
}
// node_modules/svelte/src/internal/client/dom/blocks/snippet.js
function $r(e, t, ...n) {
	var r = new Ur(e);
	An(() => {
		let e = t() ?? null;
		r.ensure(e, e && ((t) => e(t, ...n)));
	}, S);
}
// node_modules/svelte/src/internal/client/dom/blocks/svelte-component.js
function ei(e, t, n) {
	var r;
	E && (r = D, Ce());
	var i = new Ur(e);
	An(() => {
		var e = t() ?? null;
		if (E && Ee(r) === "[" != (e !== null)) {
			var a = Te();
			Se(a), i.anchor = a, xe(!1), i.ensure(e, e && ((t) => n(t, e))), xe(!0);
		} else i.ensure(e, e && ((t) => n(t, e)));
	}, S);
}
// node_modules/svelte/src/internal/client/dom/elements/attachments.js
function ti(e, t) {
	var n = void 0, r;
	jn(() => {
		n !== (n = t()) && (r &&= (B(r), null), n && (r = Mn(() => {
			Dn(() => n(e));
		})));
	});
}
// node_modules/svelte/src/internal/shared/attributes.js
var ni = [..." 	\n\r\f\xA0\v﻿"];
function ri(e, t, n) {
	var r = e == null ? "" : "" + e;
	if (t && (r = r ? r + " " + t : t), n) {
		for (var i of Object.keys(n)) if (n[i]) r = r ? r + " " + i : i;
		else if (r.length) for (var a = i.length, o = 0; (o = r.indexOf(i, o)) >= 0;) {
			var s = o + a;
			(o === 0 || ni.includes(r[o - 1])) && (s === r.length || ni.includes(r[s])) ? r = (o === 0 ? "" : r.substring(0, o)) + r.substring(s + 1) : o = s;
		}
	}
	return r === "" ? null : r;
}
function ii(e, t = !1) {
	var n = t ? " !important;" : ";", r = "";
	for (var i of Object.keys(e)) {
		var a = e[i];
		a != null && a !== "" && (r += " " + i + ": " + a + n);
	}
	return r;
}
function ai(e) {
	return e[0] !== "-" || e[1] !== "-" ? e.toLowerCase() : e;
}
function oi(e, t) {
	if (t) {
		var n = "", r, i;
		if (Array.isArray(t) ? (r = t[0], i = t[1]) : r = t, e) {
			e = String(e).replaceAll(/\/\*.*?\*\//g, "").trim();
			var a = !1, o = 0, s = !1, c = [];
			r && c.push(...Object.keys(r).map(ai)), i && c.push(...Object.keys(i).map(ai));
			var l = 0, u = -1;
			let t = e.length;
			for (var d = 0; d < t; d++) {
				var f = e[d];
				if (s ? f === "/" && e[d - 1] === "*" && (s = !1) : a ? a === f && (a = !1) : f === "/" && e[d + 1] === "*" ? s = !0 : f === "\"" || f === "'" ? a = f : f === "(" ? o++ : f === ")" && o--, !s && a === !1 && o === 0) {
					if (f === ":" && u === -1) u = d;
					else if (f === ";" || d === t - 1) {
						if (u !== -1) {
							var p = ai(e.substring(l, u).trim());
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
		return r && (n += ii(r)), i && (n += ii(i, !0)), n = n.trim(), n === "" ? null : n;
	}
	return e == null ? null : String(e);
}
// node_modules/svelte/src/internal/client/dom/elements/class.js
function si(e, t, n, r, i, a) {
	var o = e[le];
	if (E || o !== n || o === void 0) {
		var s = ri(n, r, a);
		E && s === e.getAttribute("class") || (s == null ? e.removeAttribute("class") : t ? e.className = s : e.setAttribute("class", s)), e[le] = n;
	} else if (a && i !== a) for (var c in a) {
		var l = !!a[c];
		(i == null || l !== !!i[c]) && e.classList.toggle(c, l);
	}
	return a;
}
// node_modules/svelte/src/internal/client/dom/elements/style.js
function ci(e, t = {}, n, r) {
	for (var i in n) {
		var a = n[i];
		t[i] !== a && (n[i] == null ? e.style.removeProperty(i) : e.style.setProperty(i, a, r));
	}
}
function X(e, t, n, r) {
	var i = e[ue];
	if (E || i !== t) {
		var a = oi(t, r);
		E && a === e.getAttribute("style") || (a == null ? e.removeAttribute("style") : e.style.cssText = a), e[ue] = t;
	} else r && (Array.isArray(r) ? (ci(e, n?.[0], r[0]), ci(e, n?.[1], r[1], "important")) : ci(e, n, r));
	return r;
}
// node_modules/svelte/src/internal/client/dom/elements/bindings/select.js
function li(e, t) {
	t ? e.hasAttribute("selected") || e.setAttribute("selected", "") : e.removeAttribute("selected");
}
function ui(t, n) {
	var r = t.__defaultValue, i = t.multiple, a = i ? r ?? [] : null;
	if (!i || e(a)) {
		var o = t.selectedIndex, s = n && i ? new Set(t.selectedOptions) : null;
		for (var c of t.options) {
			var l = mi(c);
			li(c, i ? a.includes(l) : nn(l, r));
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
function di(t, n, r = !1) {
	if (t.multiple) {
		if (n == null) return;
		if (!e(n)) return ye();
		for (var i of t.options) i.selected = n.includes(mi(i));
	} else {
		for (i of t.options) if (nn(mi(i), n)) {
			i.selected = !0;
			return;
		}
		r && n === void 0 || (t.selectedIndex = -1);
	}
}
function fi(e) {
	var t = new MutationObserver((t) => {
		t.every(hi) || ("__defaultValue" in e && ui(e, !1), "__value" in e && di(e, e.__value));
	});
	t.observe(e, {
		childList: !0,
		subtree: !0,
		attributes: !0,
		attributeFilter: ["value"]
	}), Sn(() => {
		t.disconnect();
	});
}
function pi(e, t, n = t) {
	var r = /* @__PURE__ */ new WeakSet(), i = !0;
	ut(e, "change", (t) => {
		var i = t ? "[selected]" : ":checked", a;
		if (e.multiple) a = [].map.call(e.querySelectorAll(i), mi);
		else {
			var o = e.querySelector(i) ?? e.querySelector("option:not([disabled])");
			a = o && mi(o);
		}
		n(a), e.__value = a, M !== null && r.add(M);
	}), Dn(() => {
		var a = t();
		if (e === document.activeElement) {
			var o = M;
			if (r.has(o)) return;
		}
		if (di(e, a, i), i && a === void 0) {
			var s = e.querySelector(":checked");
			s !== null && (a = mi(s), n(a));
		}
		e.__value = a, i = !1;
	});
}
function mi(e) {
	return "__value" in e ? e.__value : e.value;
}
function hi(e) {
	if (e.target.closest("selectedcontent") !== null) return !0;
	if (e.type === "childList") {
		var t = [...e.addedNodes, ...e.removedNodes];
		return t.length > 0 && t.every((e) => e.nodeName === "SELECTEDCONTENT");
	}
	return !1;
}
// node_modules/svelte/src/internal/client/dom/elements/attributes.js
var gi = Symbol("is custom element"), _i = Symbol("is html"), vi = me ? "link" : "LINK";
function yi(e) {
	if (E) {
		var t = !1, n = () => {
			if (!t) {
				if (t = !0, e.hasAttribute("value")) {
					var n = e.value;
					Z(e, "value", null), e.value = n;
				}
				if (e.hasAttribute("checked")) {
					var r = e.checked;
					Z(e, "checked", null), e.checked = r;
				}
			}
		};
		e[fe] = n, nt(n), ct();
	}
}
function bi(e, t) {
	var n = xi(e);
	n.checked !== (n.checked = t ?? void 0) && (e.checked = t);
}
function Z(e, t, n, r) {
	var i = xi(e);
	if (!(E && (i[t] = e.getAttribute(t), t === "src" || t === "srcset" || t === "href" && e.nodeName === vi))) {
		var a = i[t];
		a !== (i[t] = n) && (t === "loading" && (e[se] = n), n == null ? e.removeAttribute(t) : typeof n != "string" && Ci(e).has(t) ? e[t] = n : (!E || typeof n != "number" && typeof n != "boolean" || a !== String(n)) && e.setAttribute(t, n));
	}
}
function xi(e) {
	return e[ce] ??= {
		[gi]: e.nodeName.includes("-"),
		[_i]: e.namespaceURI === ge
	};
}
var Si = /* @__PURE__ */ new Map();
function Ci(e) {
	var t = e.getAttribute("is") || e.nodeName, n = Si.get(t);
	if (n) return n;
	Si.set(t, n = /* @__PURE__ */ new Set());
	for (var r, i = e, a = Element.prototype; a !== i;) {
		for (var s in r = o(i), r) r[s].set && s !== "innerHTML" && s !== "textContent" && s !== "innerText" && n.add(s);
		i = l(i);
	}
	return n;
}
// node_modules/svelte/src/internal/client/dom/elements/bindings/input.js
function wi(e, t, n = t) {
	var r = /* @__PURE__ */ new WeakSet();
	ut(e, "input", async (i) => {
		var a = i ? e.defaultValue : e.value;
		if (a = Ti(e) ? Ei(a) : a, n(a), M !== null && r.add(M), await pr(), a !== (a = t())) {
			var o = e.selectionStart, s = e.selectionEnd, c = e.value.length;
			if (e.value = a ?? "", s !== null) {
				var l = e.value.length;
				o === s && s === c && l > c ? (e.selectionStart = l, e.selectionEnd = l) : (e.selectionStart = o, e.selectionEnd = Math.min(s, l));
			}
		}
	}), (E && e.defaultValue !== e.value || gr(t) == null && e.value) && (n(Ti(e) ? Ei(e.value) : e.value), M !== null && r.add(M)), kn(() => {
		var n = t();
		if (e === document.activeElement) {
			var i = M;
			if (r.has(i)) return;
		}
		Ti(e) && n === Ei(e.value) || (e.type !== "date" || n || e.value) && n !== e.value && (e.value = n ?? "");
	});
}
function Ti(e) {
	var t = e.type;
	return t === "number" || t === "range";
}
function Ei(e) {
	return e === "" ? null : +e;
}
// node_modules/svelte/src/internal/client/dom/elements/bindings/this.js
function Di(e, t) {
	return e === t || e?.[ie] === t;
}
function Oi(e = Qe(), t, n, r) {
	var i = k.r, a = H;
	return Dn(() => {
		var o, s;
		return kn(() => {
			o = s, s = r?.() || [], gr(() => {
				Di(n(...s), e) || (t(e, ...s), o && Di(n(...o), e) && t(null, ...o));
			});
		}), () => {
			let r = a;
			for (; r !== i && r.parent !== null && r.parent.f & 33554432;) r = r.parent;
			let o = () => {
				s && Di(n(...s), e) && t(null, ...s);
			}, c = r.teardown;
			r.teardown = () => {
				o(), c?.();
			};
		};
	}), e;
}
// node_modules/svelte/src/internal/client/reactivity/store.js
var ki = !1;
function Ai(e) {
	var t = ki;
	try {
		return ki = !1, [e(), ki];
	} finally {
		ki = t;
	}
}
// node_modules/svelte/src/internal/client/reactivity/props.js
function ji(e, t, n, r) {
	var i = !0, o = !!(n & 8), s = !!(n & 16), c = r, l = !0, u = void 0, d = () => s && i ? (u ??= /* @__PURE__ */ ht(r), U(u)) : (l && (l = !1, c = s ? gr(r) : r), c);
	let f;
	if (o) {
		var p = ie in e || oe in e;
		f = a(e, t)?.set ?? (p && t in e ? (n) => e[t] = n : void 0);
	}
	var m, h = !1;
	o ? [m, h] = Ai(() => e[t]) : m = e[t], m === void 0 && r !== void 0 && (m = d(), f && (i && Le(t), f(m)));
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
	var v = !1, y = (n & 1 ? ht : vt)(() => (v = !1, g()));
	o && U(y);
	var b = H;
	return (function(e, t) {
		if (arguments.length > 0) {
			let n = t ? U(y) : i && o ? en(e) : e;
			return P(y, n), v = !0, c !== void 0 && (c = n), e;
		}
		return Wn && v || b.f & 16384 ? y.v : U(y);
	});
}
// node_modules/svelte/src/internal/disclose-version.js
typeof window < "u" && ((window.__svelte ??= {}).v ??= /* @__PURE__ */ new Set()).add("5");
// src/draw/theme.ts
var Mi = {
	light: {
		page: "#ffffff",
		raised: "#f3f5f8",
		ink: "#1b2028",
		quiet: "#5a6472",
		edge: "#cfd6df",
		accent: "#0067b1",
		positive: "#0067b1",
		negative: "#c1470a"
	},
	dark: {
		page: "#14171c",
		raised: "#1e232b",
		ink: "#e8ebf0",
		quiet: "#a3adbb",
		edge: "#3a424e",
		accent: "#58b4f5",
		positive: "#58b4f5",
		negative: "#f08a4b"
	}
}, Ni = "ui-sans-serif, system-ui, -apple-system, \"Segoe UI\", Roboto, \"Noto Sans\", sans-serif";
function Pi(e) {
	if (e !== "system") return e === "dark";
	let { body: t } = document;
	return t.dataset.jpThemeLight ? t.dataset.jpThemeLight === "false" : t.classList.contains("vscode-dark") || t.classList.contains("vscode-high-contrast") ? !0 : !t.classList.contains("vscode-light") && matchMedia("(prefers-color-scheme: dark)").matches;
}
function Fi(e) {
	let t = matchMedia("(prefers-color-scheme: dark)"), n = new MutationObserver(e);
	return t.addEventListener("change", e), n.observe(document.body, {
		attributes: !0,
		attributeFilter: ["class", "data-jp-theme-light"]
	}), () => {
		t.removeEventListener("change", e), n.disconnect();
	};
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
		case "i16": return new Int16Array(e, t.at, n);
	}
}
// src/core/maps.ts
var zi = Float32Array.from({ length: 256 }, (e, t) => (t / 255) ** 2), Bi = class {
	queries;
	keys;
	scale;
	width;
	bytes;
	columns;
	tops;
	rests;
	origin;
	constructor(e, t, n, r) {
		let [, i, a] = t.weights.shape;
		this.queries = i, this.keys = r, this.width = a, this.scale = t.scale[n], this.origin = n * i, this.bytes = Ri(e, t.weights), this.columns = t.columns ? Ri(e, t.columns) : null, this.tops = t.tops ? Ri(e, t.tops) : null, this.rests = t.rest ? Ri(e, t.rest) : null;
	}
	get sparse() {
		return this.columns !== null;
	}
	entries(e, t) {
		let n = (this.origin + e) * this.width, r = this.tops ? this.scale * (this.tops[this.origin + e] / 65535) ** 2 : this.scale;
		for (let e = 0; e < this.width; e++) {
			let i = this.bytes[n + e];
			i > 0 && t(this.columns ? this.columns[n + e] : e, zi[i] * r);
		}
	}
	rest(e) {
		return this.rests ? zi[this.rests[this.origin + e]] : 0;
	}
	row(e) {
		let t = new Float32Array(this.keys);
		return this.entries(e, (e, n) => t[e] = n), t;
	}
};
function Vi(e, t, n, r, i) {
	let a = n.layers.find((e) => e.layer === r), o = a?.heads.indexOf(i) ?? -1;
	return !a || o < 0 ? null : new Bi(t, a, o, e.sides[n.keys].tokens.length);
}
// src/core/units.ts
function Hi(e, t, n) {
	let r = e.b_start ?? e.tokens.length, i = [];
	for (let n = 0; n < e.tokens.length; n++) {
		let r = i.at(-1);
		t === "words" && r && e.words[n] === e.words[n - 1] ? (r.text += e.tokens[n].replace(/^##/, ""), r.end = n + 1) : i.push({
			text: e.tokens[n],
			start: n,
			end: n + 1
		});
	}
	return i.filter((e) => n === "all" || n === "a" == e.start < r);
}
function Ui(e) {
	return e === "all" ? ["all", "all"] : e.split("-");
}
function Wi(e, t) {
	let n = new Int32Array(t).fill(-1);
	return e.forEach((e, t) => n.fill(t, e.start, e.end)), n;
}
var Gi = class {
	map;
	queries;
	keys;
	unitOfKey;
	plainKeys;
	constructor(e, t, n) {
		this.map = e, this.queries = t, this.keys = n, this.unitOfKey = Wi(n, e.keys), this.plainKeys = n.length === e.keys;
	}
	row(e) {
		let t = new Float32Array(this.keys.length), { start: n, end: r } = this.queries[e];
		for (let e = n; e < r; e++) this.map.entries(e, (e, i) => {
			let a = this.unitOfKey[e];
			a >= 0 && (t[a] += i / (r - n));
		});
		return t;
	}
	column(e) {
		let t = new Float32Array(this.queries.length);
		return this.queries.forEach(({ start: n, end: r }, i) => {
			for (let a = n; a < r; a++) this.map.entries(a, (a, o) => {
				this.unitOfKey[a] === e && (t[i] += o / (r - n));
			});
		}), t;
	}
	rest(e) {
		let { start: t, end: n } = this.queries[e], r = 0;
		for (let e = t; e < n; e++) r += this.map.rest(e);
		return r / (n - t);
	}
	links(e) {
		let t = new Uint32Array(this.queries.length + 1), n = [], r = [];
		for (let i = 0; i < this.queries.length; i++) this.visit(i, (t, i) => {
			i < e || (n.push(t), r.push(i));
		}), t[i + 1] = n.length;
		return {
			rows: t,
			to: Uint32Array.from(n),
			weight: Float32Array.from(r)
		};
	}
	visit(e, t) {
		let { start: n, end: r } = this.queries[e];
		if (r - n === 1 && this.plainKeys) return this.map.entries(n, t);
		let i = /* @__PURE__ */ new Map();
		for (let e = n; e < r; e++) this.map.entries(e, (e, t) => {
			let a = this.unitOfKey[e];
			a >= 0 && i.set(a, (i.get(a) ?? 0) + t / (r - n));
		});
		i.forEach((e, n) => t(n, e));
	}
}, Ki = .01, qi = class {
	scene;
	buffer;
	#e = /* @__PURE__ */ N();
	get selection() {
		return U(this.#e);
	}
	set selection(e) {
		P(this.#e, e, !0);
	}
	#t = /* @__PURE__ */ N(null);
	get hover() {
		return U(this.#t);
	}
	set hover(e) {
		P(this.#t, e, !0);
	}
	#n = /* @__PURE__ */ N(Ki);
	get least() {
		return U(this.#n);
	}
	set least(e) {
		P(this.#n, e, !0);
	}
	#r = /* @__PURE__ */ N("layer");
	get order() {
		return U(this.#r);
	}
	set order(e) {
		P(this.#r, e, !0);
	}
	#i = /* @__PURE__ */ N("");
	get label() {
		return U(this.#i);
	}
	set label(e) {
		P(this.#i, e, !0);
	}
	#a = /* @__PURE__ */ N(null);
	get opened() {
		return U(this.#a);
	}
	set opened(e) {
		P(this.#a, e, !0);
	}
	#o = /* @__PURE__ */ N(!1);
	get dark() {
		return U(this.#o);
	}
	set dark(e) {
		P(this.#o, e, !0);
	}
	picture = null;
	linkCache = /* @__PURE__ */ new Map();
	constructor(e, t, n) {
		this.scene = e, this.buffer = t, this.dark = n, this.selection = structuredClone(e.selection);
	}
	get colours() {
		return this.dark ? Mi.dark : Mi.light;
	}
	colourOf(e) {
		let t = this.dark ? this.scene.palette.dark : this.scene.palette.light;
		return t[e % t.length];
	}
	#s = /* @__PURE__ */ j(() => this.scene.attentions.find((e) => e.attention === this.selection.attention) ?? this.scene.attentions[0]);
	get attention() {
		return U(this.#s);
	}
	set attention(e) {
		P(this.#s, e);
	}
	#c = /* @__PURE__ */ j(() => this.attention.layers.find((e) => e.layer === this.selection.layer) ?? this.attention.layers[0]);
	get layer() {
		return U(this.#c);
	}
	set layer(e) {
		P(this.#c, e);
	}
	#l = /* @__PURE__ */ j(() => {
		let e = this.layer.heads.filter((e) => this.selection.heads.includes(e));
		return e.length > 0 ? e : this.layer.heads;
	});
	get heads() {
		return U(this.#l);
	}
	set heads(e) {
		P(this.#l, e);
	}
	#u = /* @__PURE__ */ j(() => this.scene.sides[this.attention.queries]);
	get querySide() {
		return U(this.#u);
	}
	set querySide(e) {
		P(this.#u, e);
	}
	#d = /* @__PURE__ */ j(() => this.scene.sides[this.attention.keys]);
	get keySide() {
		return U(this.#d);
	}
	set keySide(e) {
		P(this.#d, e);
	}
	#f = /* @__PURE__ */ j(() => this.attention.queries === this.attention.keys && this.querySide.b_start !== null);
	get hasSentences() {
		return U(this.#f);
	}
	set hasSentences(e) {
		P(this.#f, e);
	}
	#p = /* @__PURE__ */ j(() => [this.querySide, this.keySide].some((e) => e.words.some((t, n) => n > 0 && t === e.words[n - 1])));
	get hasWords() {
		return U(this.#p);
	}
	set hasWords(e) {
		P(this.#p, e);
	}
	#m = /* @__PURE__ */ j(() => this.units(this.querySide, 0));
	get queries() {
		return U(this.#m);
	}
	set queries(e) {
		P(this.#m, e);
	}
	#h = /* @__PURE__ */ j(() => this.units(this.keySide, 1));
	get keys() {
		return U(this.#h);
	}
	set keys(e) {
		P(this.#h, e);
	}
	units(e, t) {
		let n = this.hasSentences ? Ui(this.selection.sentences)[t] : "all";
		return Hi(e, this.selection.level, n);
	}
	map(e, t = this.layer.layer) {
		return Vi(this.scene, this.buffer, this.attention, t, e);
	}
	unitMap(e, t = this.layer.layer) {
		return new Gi(this.map(e, t), this.queries, this.keys);
	}
	links(e, t = this.layer.layer) {
		let { level: n, sentences: r } = this.selection, i = [
			this.attention.attention,
			t,
			e,
			n,
			this.hasSentences ? r : "all"
		].join(" "), a = this.linkCache.get(i);
		return a || (this.linkCache.size > 160 && this.linkCache.clear(), a = this.unitMap(e, t).links(Ki), this.linkCache.set(i, a)), a;
	}
	#g = /* @__PURE__ */ j(() => {
		let e = this.selection.pinned.map(([e, t]) => [e, this.unitAt(e, t)]), t = this.hover ? [...e, this.hover] : e, n = /* @__PURE__ */ new Set();
		return t.filter(([e, t]) => t >= 0 && !n.has(`${e}${t}`) && n.add(`${e}${t}`));
	});
	get active() {
		return U(this.#g);
	}
	set active(e) {
		P(this.#g, e);
	}
	isPinned(e, t) {
		return this.selection.pinned.some(([n, r]) => n === e && this.unitAt(e, r) === t);
	}
	togglePin(e, t) {
		let { pinned: n } = this.selection;
		this.selection.pinned = this.isPinned(e, t) ? n.filter(([n, r]) => n !== e || this.unitAt(e, r) !== t) : [...n, [e, this.unitsAt(e)[t].start]];
	}
	unpin() {
		this.selection.pinned = [];
	}
	unitsAt(e) {
		return e === "query" ? this.queries : this.keys;
	}
	unitAt(e, t) {
		return this.unitsAt(e).findIndex((e) => e.start <= t && t < e.end);
	}
	toggleHead(e) {
		let t = this.heads.includes(e) ? this.heads.filter((t) => t !== e) : [...this.heads, e].sort((e, t) => e - t);
		t.length > 0 && (this.selection.heads = t);
	}
	isolateHead(e) {
		let t = this.heads.length === 1 && this.heads[0] === e;
		this.selection.heads = t ? [...this.layer.heads] : [e];
	}
	chooseAttention(e) {
		this.hover = null, this.opened = null, this.selection.pinned = [], this.selection.attention = e;
		let t = this.scene.attentions.find((t) => t.attention === e).layers;
		t.some((e) => e.layer === this.selection.layer) || (this.selection.layer = t[0].layer);
	}
	stepLayer(e) {
		let t = this.attention.layers.map((e) => e.layer), n = t[t.indexOf(this.layer.layer) + e];
		n !== void 0 && (this.selection.layer = n);
	}
};
// src/draw/marks.ts
function Ji(e, t) {
	e.lineCap = "butt";
	for (let n of t) switch (n.type) {
		case "line":
			Yi(e, n);
			break;
		case "box":
			e.globalAlpha = n.alpha, e.fillStyle = n.colour, e.fillRect(n.x, n.y, n.width, n.height);
			break;
		case "words":
			Xi(e, n);
			break;
		case "raster": e.globalAlpha = 1, e.imageSmoothingEnabled = !1, e.drawImage(n.source, n.x, n.y, n.width, n.height);
	}
	e.globalAlpha = 1;
}
function Yi(e, { from: t, to: n, bend: r, colour: i, alpha: a, width: o }) {
	e.globalAlpha = a, e.strokeStyle = i, e.lineWidth = o, e.beginPath(), e.moveTo(...t), r ? e.bezierCurveTo(...Zi(t, n, r), ...n) : e.lineTo(...n), e.stroke();
}
function Xi(e, t) {
	e.globalAlpha = 1, e.fillStyle = t.colour, e.font = `${t.bold ? "600 " : ""}${t.size}px ${Ni}`, e.textAlign = t.anchor === "middle" ? "center" : t.anchor === "end" ? "right" : "left", e.textBaseline = "middle", e.direction = "ltr", e.save(), e.translate(t.x, t.y), t.turn && e.rotate(t.turn * Math.PI / 180), e.fillText(t.text, 0, 0), e.restore();
}
function Zi(e, t, n) {
	let r = .45;
	if (n === "x") {
		let n = (t[0] - e[0]) * r;
		return [
			e[0] + n,
			e[1],
			t[0] - n,
			t[1]
		];
	}
	let i = (t[1] - e[1]) * r;
	return [
		e[0],
		e[1] + i,
		t[0],
		t[1] - i
	];
}
function Qi({ width: e, height: t, marks: n }, r) {
	let i = n.map($i).join("\n");
	return `<svg xmlns="http://www.w3.org/2000/svg" width="${Q(e)}" height="${Q(t)}" viewBox="0 0 ${Q(e)} ${Q(t)}" font-family="${ea(Ni)}">
<rect width="100%" height="100%" fill="${r}"/>
${i}
</svg>
`;
}
function $i(e) {
	switch (e.type) {
		case "line": {
			let { from: t, to: n, bend: r } = e, i = r ? `C${Zi(t, n, r).map(Q).join(" ")} ${n.map(Q).join(" ")}` : `L${n.map(Q).join(" ")}`;
			return `<path d="M${t.map(Q).join(" ")}${i}" fill="none" stroke="${e.colour}" stroke-opacity="${Q(e.alpha)}" stroke-width="${Q(e.width)}"/>`;
		}
		case "box": return `<rect x="${Q(e.x)}" y="${Q(e.y)}" width="${Q(e.width)}" height="${Q(e.height)}" fill="${e.colour}" fill-opacity="${Q(e.alpha)}"/>`;
		case "words": {
			let t = e.turn ? ` transform="rotate(${e.turn} ${Q(e.x)} ${Q(e.y)})"` : "", n = e.bold ? " font-weight=\"600\"" : "";
			return `<text x="${Q(e.x)}" y="${Q(e.y)}" font-size="${e.size}" fill="${e.colour}" text-anchor="${e.anchor}" dominant-baseline="central"${n}${t}>${ea(e.text)}</text>`;
		}
		case "raster": return `<image x="${Q(e.x)}" y="${Q(e.y)}" width="${Q(e.width)}" height="${Q(e.height)}" preserveAspectRatio="none" style="image-rendering:pixelated" href="${e.source.toDataURL("image/png")}"/>`;
	}
}
var Q = (e) => Math.round(e * 1e3) / 1e3;
function ea(e) {
	return e.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "�").replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
}
function ta(e, t, n) {
	return e.map((e) => e.type === "line" ? {
		...e,
		from: [e.from[0] + t, e.from[1] + n],
		to: [e.to[0] + t, e.to[1] + n]
	} : {
		...e,
		x: e.x + t,
		y: e.y + n
	});
}
function na(e, t = 28) {
	let n = [...e];
	return n.length > t ? n.slice(0, t - 1).join("") + "…" : e;
}
// src/core/download.ts
function ra(e, t) {
	return new Blob([Qi(e, t)], { type: "image/svg+xml" });
}
async function ia(e, t, n) {
	let r = document.createElement("canvas");
	r.width = Math.ceil(e.width * n), r.height = Math.ceil(e.height * n);
	let i = r.getContext("2d");
	i.fillStyle = t, i.fillRect(0, 0, r.width, r.height), i.scale(n, n), Ji(i, e.marks);
	let a = await new Promise((e) => r.toBlob(e, "image/png"));
	if (!a) throw Error("The picture is too large for this scale; choose a smaller one.");
	return a;
}
function aa(e, t) {
	let n = document.createElement("a");
	n.href = URL.createObjectURL(e), n.download = t, n.click(), setTimeout(() => URL.revokeObjectURL(n.href), 1e4);
}
// src/parts/Export.svelte
var oa = /* @__PURE__ */ G("<option> </option>"), sa = /* @__PURE__ */ G("<span role=\"alert\"> </span>"), ca = /* @__PURE__ */ G("<div class=\"export svelte-j2sk0e\" role=\"group\" aria-label=\"Save the picture\"><button type=\"button\" class=\"plain\">Save SVG</button> <button type=\"button\" class=\"plain\">Save PNG</button> <label><span class=\"hidden\">PNG scale</span> <select></select></label> <!></div>");
function la(e, t) {
	Xe(t, !0);
	let n = Je("store"), r = /* @__PURE__ */ N(2), i = /* @__PURE__ */ N("");
	function a(e) {
		let { kind: t } = n.selection, r = t === "model" ? "" : `-${n.layer.layer}.${n.heads.length === 1 || t !== "head" ? n.heads[0] : "all"}`;
		return `${n.scene.title.replace(/[^\p{L}\p{N}._-]+/gu, "-").slice(0, 60)}-${t}${r}.${e}`;
	}
	async function o(e) {
		P(i, "");
		let t = n.picture?.();
		if (t) try {
			aa(e === "svg" ? ra(t, n.colours.page) : await ia(t, n.colours.page, U(r)), a(e));
		} catch (e) {
			P(i, e instanceof Error ? e.message : String(e), !0);
		}
	}
	var s = ca(), c = F(s), l = R(c, 2), u = R(l, 2), d = R(F(u), 2);
	Y(d, 20, () => [
		1,
		2,
		3,
		4
	], (e) => e, (e, t) => {
		var n = oa(), r = L(n), i = {};
		z(() => {
			q(r, `${t ?? ""}×`), i !== (i = t) && (n.value = (n.__value = i) ?? "");
		}), K(e, n);
	}), O(d), fi(d), O(u);
	var f = R(u, 2), p = (e) => {
		var t = sa(), n = L(t, !0);
		z(() => q(n, U(i))), K(e, t);
	};
	J(f, (e) => {
		U(i) && e(p);
	}), O(s), W("click", c, () => o("svg")), W("click", l, () => o("png")), pi(d, () => U(r), (e) => P(r, e)), K(e, s), Ze();
}
wr(["click"]);
// src/parts/Toolbar.svelte
var ua = /* @__PURE__ */ G("<button type=\"button\" role=\"tab\" class=\"svelte-cy88mx\"> </button>"), da = /* @__PURE__ */ G("<option> </option>"), fa = /* @__PURE__ */ G("<label class=\"svelte-cy88mx\">Attention <select></select></label>"), pa = /* @__PURE__ */ G("<div class=\"layer svelte-cy88mx\"><label class=\"svelte-cy88mx\">Layer <select></select></label> <button type=\"button\" class=\"plain\" aria-label=\"Layer before\">‹</button> <button type=\"button\" class=\"plain\" aria-label=\"Layer after\">›</button></div>"), ma = /* @__PURE__ */ G("<label class=\"svelte-cy88mx\">Label <select><option>all heads</option><!></select></label>"), ha = /* @__PURE__ */ G("<label class=\"svelte-cy88mx\">Order <select><option>by layer</option><!></select></label> <!>", 1), ga = /* @__PURE__ */ G("<label class=\"svelte-cy88mx\">Sentences <select><option>all</option><option>A → A</option><option>B → B</option><option>A → B</option><option>B → A</option></select></label>"), _a = /* @__PURE__ */ G("<label class=\"svelte-cy88mx\"><input type=\"checkbox\" class=\"svelte-cy88mx\"/> Whole words</label>"), va = /* @__PURE__ */ G("<button type=\"button\" class=\"plain\"> </button>"), ya = /* @__PURE__ */ G("<label class=\"svelte-cy88mx\"><input type=\"checkbox\" class=\"svelte-cy88mx\"/> Horizontal</label> <label class=\"svelte-cy88mx\"> <input type=\"range\" max=\"0.5\" step=\"0.01\" class=\"svelte-cy88mx\"/></label> <!>", 1), ba = /* @__PURE__ */ G("<div class=\"bar svelte-cy88mx\"><div class=\"tabs svelte-cy88mx\" role=\"tablist\" aria-label=\"View\"></div> <h1 class=\"svelte-cy88mx\"><bdi> </bdi></h1> <!></div> <div class=\"bar choices svelte-cy88mx\"><!> <!> <!> <!> <!></div>", 1);
function xa(e, t) {
	Xe(t, !0);
	let n = Je("store"), { scene: r } = n, i = [
		{
			kind: "head",
			text: "Heads"
		},
		{
			kind: "model",
			text: "Model"
		},
		...r.attentions.some((e) => e.layers.some((e) => e.vectors)) ? [{
			kind: "neuron",
			text: "Neurons"
		}] : [],
		{
			kind: "matrix",
			text: "Matrix"
		}
	], a = {
		encoder: "Encoder",
		decoder: "Decoder",
		cross: "Cross"
	}, o = /* @__PURE__ */ j(() => n.attention.layers.map((e) => e.layer)), s = /* @__PURE__ */ j(() => U(o).indexOf(n.layer.layer)), c = /* @__PURE__ */ j(() => n.selection.kind), l;
	function u(e, t) {
		let r = {
			ArrowLeft: -1,
			ArrowRight: 1
		}[e.key], a = r === void 0 ? void 0 : i[t + r];
		a && (e.preventDefault(), n.selection.kind = a.kind, l.querySelectorAll("button")[t + r].focus());
	}
	var d = ba(), f = I(d), p = F(f);
	Y(p, 23, () => i, (e) => e.kind, (e, t, r) => {
		var i = ua(), a = L(i, !0);
		z(() => {
			Z(i, "aria-selected", U(c) === U(t).kind), Z(i, "tabindex", U(c) === U(t).kind ? 0 : -1), q(a, U(t).text);
		}), W("click", i, () => n.selection.kind = U(t).kind), W("keydown", i, (e) => u(e, U(r))), K(e, i);
	}), O(p), Oi(p, (e) => l = e, () => l);
	var m = R(p, 2), h = L(F(m), !0);
	O(m), la(R(m, 2), {}), O(f);
	var g = R(f, 2), _ = F(g), v = (e) => {
		var t = fa(), i = R(F(t));
		Y(i, 21, () => r.attentions, (e) => e.attention, (e, t) => {
			var n = da(), r = L(n, !0), i = {};
			z(() => {
				q(r, a[U(t).attention]), i !== (i = U(t).attention) && (n.value = (n.__value = i) ?? "");
			}), K(e, n);
		}), O(i);
		var o;
		fi(i), O(t), z(() => {
			o !== (o = n.attention.attention) && (i.value = (i.__value = o) ?? "", di(i, o));
		}), W("change", i, (e) => n.chooseAttention(e.currentTarget.value)), K(e, t);
	};
	J(_, (e) => {
		r.attentions.length > 1 && e(v);
	});
	var y = R(_, 2), b = (e) => {
		var t = pa(), r = F(t), i = R(F(r));
		Y(i, 20, () => U(o), (e) => e, (e, t) => {
			var n = da(), r = L(n, !0), i = {};
			z(() => {
				q(r, t), i !== (i = t) && (n.value = (n.__value = i) ?? "");
			}), K(e, n);
		}), O(i);
		var a;
		fi(i), O(r);
		var c = R(r, 2), l = R(c, 2);
		O(t), z(() => {
			a !== (a = n.layer.layer) && (i.value = (i.__value = a) ?? "", di(i, a)), c.disabled = U(s) === 0, l.disabled = U(s) === U(o).length - 1;
		}), W("change", i, (e) => n.selection.layer = Number(e.currentTarget.value)), W("click", c, () => n.stepLayer(-1)), W("click", l, () => n.stepLayer(1)), K(e, t);
	}, x = (e) => {
		var t = ha(), i = I(t), a = R(F(i)), o = F(a);
		o.value = o.__value = "layer", Y(R(o), 17, () => r.statistics, ({ name: e }) => e, (e, t) => {
			let n = () => U(t).name;
			var r = da(), i = L(r, !0), a = {};
			z(() => {
				q(i, n()), a !== (a = n()) && (r.value = (r.__value = a) ?? "");
			}), K(e, r);
		}), O(a), fi(a), O(i);
		var s = R(i, 2), c = (e) => {
			var t = ma(), i = R(F(t)), a = F(i);
			a.value = a.__value = "", Y(R(a), 17, () => r.labels, ({ name: e, heads: t }) => e, (e, t) => {
				let n = () => U(t).name, r = () => U(t).heads;
				var i = da(), a = L(i), o = {};
				z(() => {
					q(a, `${n() ?? ""} (${r().length ?? ""})`), o !== (o = n()) && (i.value = (i.__value = o) ?? "");
				}), K(e, i);
			}), O(i), fi(i), O(t), pi(i, () => n.label, (e) => n.label = e), K(e, t);
		};
		J(s, (e) => {
			r.labels.length > 0 && e(c);
		}), pi(a, () => n.order, (e) => n.order = e), K(e, t);
	};
	J(y, (e) => {
		U(c) === "model" ? e(x, -1) : e(b);
	});
	var S = R(y, 2), C = (e) => {
		var t = ga(), r = R(F(t)), i = F(r);
		i.value = i.__value = "all";
		var a = R(i);
		a.value = a.__value = "a-a";
		var o = R(a);
		o.value = o.__value = "b-b";
		var s = R(o);
		s.value = s.__value = "a-b";
		var c = R(s);
		c.value = c.__value = "b-a", O(r), fi(r), O(t), pi(r, () => n.selection.sentences, (e) => n.selection.sentences = e), K(e, t);
	};
	J(S, (e) => {
		n.hasSentences && U(c) !== "neuron" && e(C);
	});
	var w = R(S, 2), ee = (e) => {
		var t = _a(), r = F(t);
		yi(r), we(), O(t), z(() => bi(r, n.selection.level === "words")), W("change", r, (e) => n.selection.level = e.currentTarget.checked ? "words" : "pieces"), K(e, t);
	};
	J(w, (e) => {
		n.hasWords && U(c) !== "neuron" && e(ee);
	});
	var te = R(w, 2), ne = (e) => {
		var t = ya(), r = I(t), i = F(r);
		yi(i), we(), O(r);
		var a = R(r, 2), o = F(a), s = R(o);
		yi(s), O(a);
		var c = R(a, 2), l = (e) => {
			var t = va(), r = L(t);
			z(() => q(r, `Unpin ${n.selection.pinned.length ?? ""}`)), W("click", t, () => n.unpin()), K(e, t);
		};
		J(c, (e) => {
			n.selection.pinned.length > 0 && e(l);
		}), z((e) => {
			bi(i, n.selection.layout === "rows"), q(o, `Hide below ${e ?? ""} `), Z(s, "min", Ki);
		}, [() => n.least.toFixed(2)]), W("change", i, (e) => n.selection.layout = e.currentTarget.checked ? "rows" : "columns"), wi(s, () => n.least, (e) => n.least = e), K(e, t);
	};
	J(te, (e) => {
		U(c) === "head" && e(ne);
	}), O(g), z(() => q(h, r.title)), K(e, d), Ze();
}
wr([
	"click",
	"keydown",
	"change"
]);
var Sa = 46, Ca = 8, wa = null;
function Ta(e) {
	return wa ??= document.createElement("canvas").getContext("2d"), wa.font = `14px ${Ni}`, wa.measureText(e.slice(0, 80)).width;
}
function Ea(e, t, n, r, i = Ta) {
	return e === "columns" ? Da(t, n, r, i) : Oa(t, n, r, i);
}
function Da(e, t, n, r) {
	let i = Math.max(56, n * .3 - Sa), [a, o] = [e, t].map((e) => Math.min(i, ka(e, r) + 16)), s = a + o + 108, c = Math.min(Math.max(n - s, 90), Math.max(260, Math.min(460, n * .4))), l = Math.max(n, s + c), u = Math.floor((l - s - c) / 2) + Ca + Sa;
	return {
		layout: "columns",
		width: l,
		height: Math.max(e.length, t.length) * 24 + 16,
		query: e.map((e, t) => ({
			x: u,
			y: Ca + t * 24,
			width: a,
			height: 24
		})),
		key: t.map((e, t) => ({
			x: u + a + c,
			y: Ca + t * 24,
			width: o,
			height: 24
		}))
	};
}
function Oa(e, t, n, r) {
	let i = (e, t) => {
		let n = Ca;
		return e.map((e) => {
			let i = Math.min(200, Math.max(40, r(e.text) + 14)), a = {
				x: n,
				y: t,
				width: i,
				height: 28
			};
			return n += i, a;
		});
	}, a = i(e, 32), o = i(t, 316), s = Math.max(...[a, o].map((e) => (e.at(-1)?.x ?? 0) + (e.at(-1)?.width ?? 0))) + Ca, c = Math.max(0, (n - s) / 2);
	for (let e of [...a, ...o]) e.x += c;
	return {
		layout: "rows",
		width: Math.max(n, s),
		height: 372,
		query: a,
		key: o
	};
}
function ka(e, t) {
	let n = [...e].sort((e, t) => t.text.length - e.text.length).slice(0, 40);
	return Math.max(24, ...n.map((e) => t(e.text)));
}
function Aa(e, t, n) {
	let r = e[t][n];
	return e.layout === "columns" ? [t === "query" ? r.x + r.width : r.x, r.y + r.height / 2] : [r.x + r.width / 2, t === "query" ? r.y + r.height : r.y];
}
function ja(e, t, n) {
	let r = e[t][n];
	return e.layout === "columns" ? t === "query" ? {
		x: r.x - 6,
		y: r.y + r.height / 2,
		anchor: "end"
	} : {
		x: r.x + r.width + 6,
		y: r.y + r.height / 2,
		anchor: "start"
	} : {
		x: r.x + r.width / 2,
		y: t === "query" ? r.y - 11 : r.y + r.height + 11,
		anchor: "middle"
	};
}
// src/draw/bipartite.ts
function Ma(e, t) {
	let n = (e) => t.filter(([t]) => t === e).map(([, e]) => e), r = n("query"), i = n("key");
	return {
		toKeys: r.length ? e.map((e) => Na(r.map((t) => e.row(t)))) : [],
		fromQueries: i.length ? e.map((e) => Na(i.map((t) => e.column(t)))) : []
	};
}
function Na(e) {
	let t = new Float32Array(e[0].length);
	for (let n of e) for (let r = 0; r < t.length; r++) t[r] += n[r] / e.length;
	return t;
}
function Pa(e, t, n, r, i) {
	let a = new Set(n.filter(([e]) => e === "query").map(([, e]) => e)), o = new Set(n.filter(([e]) => e === "key").map(([, e]) => e)), s = n.length === 0, c = e.layout === "columns" ? "x" : "y", l = s ? Math.min(1.6, .65 + .1 * (t.length - 1)) : .5, u = [];
	return t.forEach(({ colour: n, links: d }, f) => {
		let p = (f - (t.length - 1) / 2) * Math.min(3, 15 / t.length), m = (t, n) => {
			let [r, i] = Aa(e, t, n);
			return c === "x" ? [r, i + p] : [r + p, i];
		};
		for (let f = 0; f < e.query.length; f++) {
			let p = m("query", f);
			for (let h = d.rows[f]; h < d.rows[f + 1]; h++) {
				let g = d.weight[h], _ = d.to[h];
				if (g < r || !(s || a.has(f) || o.has(_))) continue;
				let v = m("key", _);
				if (!i(p[1]) && !i(v[1]) && e.layout === "columns") continue;
				let y = g ** l;
				y < .008 || u.push({
					type: "line",
					from: p,
					to: v,
					bend: c,
					colour: n,
					alpha: y,
					width: .8 + (t.length > 4 ? 1.2 : 2.2) * g
				});
			}
		}
	}), u.length < 2e4 ? u.sort((e, t) => e.alpha - t.alpha) : u;
}
function Fa(e, t, n, r) {
	let i = [];
	return n.forEach((a, o) => a.forEach((a, s) => {
		if (a < .004) return;
		let c = e[t][s], l = c.width / n.length;
		i.push({
			type: "box",
			x: c.x + o * l,
			y: c.y + 1,
			width: l,
			height: c.height - 2,
			colour: r[o],
			alpha: .75 * a ** .8
		});
	})), i;
}
function Ia(e, t, n, r) {
	return ["query", "key"].flatMap((i) => t[i].flatMap((t, a) => {
		let o = e[i][a], s = e.layout === "columns" ? i === "query" ? "end" : "start" : "middle", c = {
			type: "words",
			x: s === "end" ? o.x + o.width - 8 : s === "start" ? o.x + 8 : o.x + o.width / 2,
			y: o.y + o.height / 2,
			text: na(t.text),
			size: 14,
			colour: r.ink,
			anchor: s
		}, l = n[i]?.[a] ?? 0;
		return l < .005 ? [c] : [c, {
			type: "words",
			...ja(e, i, a),
			text: La(l),
			size: 12,
			colour: r.quiet
		}];
	}));
}
function La(e) {
	return e < 5e-4 ? e > 0 ? "<0.001" : "0" : e >= .0995 ? e.toFixed(2) : e.toFixed(3);
}
// src/parts/Surface.svelte
var Ra = /* @__PURE__ */ G("<div class=\"surface svelte-tu9u91\"><div class=\"content svelte-tu9u91\"><canvas aria-hidden=\"true\" class=\"svelte-tu9u91\"></canvas> <!></div></div>");
function za(e, t) {
	Xe(t, !0);
	let n = ji(t, "room", 15), r, i, a = /* @__PURE__ */ N({
		x: 0,
		y: 0,
		width: 600,
		height: 400
	}), o = /* @__PURE__ */ N(1);
	function s() {
		P(o, Math.min(window.devicePixelRatio || 1, 3), !0), n(r.clientWidth), P(a, {
			x: r.scrollLeft,
			y: r.scrollTop,
			width: r.clientWidth,
			height: r.clientHeight
		});
	}
	Cn(() => {
		let e = new ResizeObserver(s);
		return e.observe(r), () => e.disconnect();
	}), Cn(() => {
		let e = Math.round(U(a).width * U(o)), n = Math.round(Math.min(U(a).height, t.height) * U(o));
		i.width !== e && (i.width = e), i.height !== n && (i.height = n);
		let r = i.getContext("2d");
		r.setTransform(1, 0, 0, 1, 0, 0), r.clearRect(0, 0, e, n), r.setTransform(U(o), 0, 0, U(o), -U(a).x * U(o), -U(a).y * U(o)), t.draw(r, U(a));
	});
	var c = Ra(), l = F(c);
	let u;
	var d = F(l);
	let f;
	Oi(d, (e) => i = e, () => i), $r(R(d, 2), () => t.children, () => U(a)), O(l), O(c), Oi(c, (e) => r = e, () => r), z((e) => {
		u = X(l, "", u, {
			width: `${t.width ?? ""}px`,
			height: `${t.height ?? ""}px`
		}), f = X(d, "", f, {
			width: `${U(a).width ?? ""}px`,
			height: e
		});
	}, [() => `${Math.min(U(a).height, t.height)}px`]), Cr("scroll", c, s), K(e, c), Ze();
}
// src/parts/Bipartite.svelte
var Ba = /* @__PURE__ */ G("<span aria-hidden=\"true\"> </span>"), Va = /* @__PURE__ */ G("<button type=\"button\"><bdi> </bdi></button> <!>", 1), Ha = /* @__PURE__ */ G("<div role=\"group\"></div>"), Ua = /* @__PURE__ */ G("<div class=\"bipartite svelte-18nj9xk\"><!></div>");
function Wa(e, t) {
	Xe(t, !0);
	let n = Je("store"), r = /* @__PURE__ */ N(600), i = en({
		query: 0,
		key: 0
	}), a, o = /* @__PURE__ */ j(() => Ea(n.selection.layout, n.queries, n.keys, U(r))), s = /* @__PURE__ */ j(() => t.heads.map((e) => n.colourOf(e))), c = /* @__PURE__ */ j(() => t.heads.map((e) => ({
		colour: n.colourOf(e),
		links: n.links(e, t.layer)
	}))), l = /* @__PURE__ */ j(() => t.heads.map((e) => n.unitMap(e, t.layer))), u = /* @__PURE__ */ j(() => Ma(U(l), n.active)), f = /* @__PURE__ */ j(() => ({
		query: U(u).fromQueries.length ? Na(U(u).fromQueries) : null,
		key: U(u).toKeys.length ? Na(U(u).toKeys) : null
	}));
	function p(e) {
		let t = (t) => t > e.y - 24 && t < e.y + e.height + 24;
		return [
			...Fa(U(o), "query", U(u).fromQueries, U(s)),
			...Fa(U(o), "key", U(u).toKeys, U(s)),
			...Pa(U(o), U(c), n.active, n.least, t)
		];
	}
	function m() {
		let e = {
			x: 0,
			y: 0,
			width: U(o).width,
			height: Math.min(U(o).height, 12e3)
		}, t = Ia(U(o), {
			query: n.queries,
			key: n.keys
		}, U(f), n.colours);
		return {
			width: U(o).width,
			height: e.height,
			marks: [...p(e), ...t]
		};
	}
	function h(e, t) {
		let n = U(o)[e], r = i[e], a = [];
		for (let e = 0; e < n.length; e++) {
			let { x: i, y: o, width: s, height: c } = n[e];
			(o + c > t.y - 100 && o < t.y + t.height + 100 && i + s > t.x - 200 && i < t.x + t.width + 200 || e === r) && a.push(e);
		}
		return a;
	}
	async function g(e, t) {
		let n = U(o)[e].length - 1;
		i[e] = Math.max(0, Math.min(n, t)), await pr();
		let r = a.querySelector(`[data-end="${e}"][data-index="${i[e]}"]`);
		r?.focus(), r?.scrollIntoView({
			block: "nearest",
			inline: "nearest"
		});
	}
	function _(e, t, n) {
		let r = t === "query" ? "key" : "query", i = U(o).layout === "columns" ? ["ArrowUp", "ArrowDown"] : ["ArrowLeft", "ArrowRight"], a = U(o).layout === "columns" ? ["ArrowLeft", "ArrowRight"] : ["ArrowUp", "ArrowDown"], s = {
			[i[0]]: () => g(t, n - 1),
			[i[1]]: () => g(t, n + 1),
			[a[0]]: () => t === "key" && g(r, n),
			[a[1]]: () => t === "query" && g(r, n),
			Home: () => g(t, 0),
			End: () => g(t, U(o)[t].length - 1),
			PageUp: () => g(t, n - 10),
			PageDown: () => g(t, n + 10)
		};
		s[e.key] && (e.preventDefault(), s[e.key]());
	}
	function v(e, t, r) {
		let i = U(f)[e]?.[t];
		return `${e === "query" ? "from" : "to"} ${r}, token ${n.unitsAt(e)[t].start}${i === void 0 ? "" : `, weight ${La(i)}`}`;
	}
	var y = { picture: m }, b = Ua();
	return za(F(b), {
		get width() {
			return U(o).width;
		},
		get height() {
			return U(o).height;
		},
		draw: (e, t) => Ji(e, p(t)),
		get room() {
			return U(r);
		},
		set room(e) {
			P(r, e, !0);
		},
		children: (e, t = d) => {
			var r = Nr();
			Y(I(r), 16, () => ["query", "key"], (e) => e, (e, r) => {
				var a = Ha();
				Y(a, 20, () => h(r, t()), (e) => e, (e, t) => {
					let a = /* @__PURE__ */ j(() => n.unitsAt(r)[t]), s = /* @__PURE__ */ j(() => U(o)[r][t]), c = /* @__PURE__ */ j(() => U(f)[r]?.[t] ?? 0), l = /* @__PURE__ */ j(() => ja(U(o), r, t));
					var u = Nr(), d = I(u), p = (e) => {
						var u = Va(), d = I(u);
						let f, p;
						var m = L(F(d), !0);
						O(d);
						var h = R(d, 2), g = (e) => {
							var n = Ba();
							let i;
							var a = L(n, !0);
							z((e) => {
								si(n, 1, `weight ${U(l).anchor ?? ""}`, "svelte-18nj9xk"), Z(n, "data-weight-of", r), Z(n, "data-index", t), i = X(n, "", i, {
									left: `${U(l).x ?? ""}px`,
									top: `${U(l).y ?? ""}px`
								}), q(a, e);
							}, [() => La(U(c))]), K(e, n);
						};
						J(h, (e) => {
							U(c) >= .005 && e(g);
						}), z((e, c) => {
							f = si(d, 1, `token ${U(o).layout ?? ""} ${r ?? ""}`, "svelte-18nj9xk", f, { hovered: n.hover?.[0] === r && n.hover[1] === t }), Z(d, "data-end", r), Z(d, "data-index", t), Z(d, "aria-pressed", e), Z(d, "aria-label", c), Z(d, "title", U(a).text.length > 24 ? U(a).text : void 0), Z(d, "tabindex", i[r] === t ? 0 : -1), p = X(d, "", p, {
								left: `${U(s).x ?? ""}px`,
								top: `${U(s).y ?? ""}px`,
								width: `${U(s).width ?? ""}px`,
								height: `${U(s).height ?? ""}px`
							}), q(m, U(a).text);
						}, [() => n.isPinned(r, t), () => v(r, t, U(a).text.slice(0, 200))]), W("click", d, () => (i[r] = t, n.togglePin(r, t))), Cr("pointerenter", d, (e) => e.pointerType === "mouse" && (n.hover = [r, t])), Cr("pointerleave", d, () => n.hover = null), Cr("focus", d, (e) => e.currentTarget.matches(":focus-visible") && (n.hover = [r, t])), Cr("blur", d, () => n.hover = null), W("keydown", d, (e) => _(e, r, t)), K(e, u);
					};
					J(d, (e) => {
						U(a) && U(s) && e(p);
					}), K(e, u);
				}), O(a), z(() => Z(a, "aria-label", r === "query" ? "Tokens that attend" : "Tokens attended to")), K(e, a);
			}), K(e, r);
		},
		$$slots: { default: !0 }
	}), O(b), Oi(b, (e) => a = e, () => a), K(e, b), Ze(y);
}
wr(["click", "keydown"]);
// src/parts/HeadPicker.svelte
var Ga = /* @__PURE__ */ G("<button type=\"button\"> </button>"), Ka = /* @__PURE__ */ G("<button type=\"button\" class=\"all svelte-1l12xf4\">All heads</button>"), qa = /* @__PURE__ */ G("<div class=\"picker svelte-1l12xf4\" role=\"group\"><!> <!></div>");
function Ja(e, t) {
	Xe(t, !0);
	let n = ji(t, "single", 3, !1), r = Je("store"), i;
	function a(e, t, a) {
		let o = {
			ArrowLeft: -1,
			ArrowRight: 1
		}[e.key];
		if (o !== void 0) i.querySelectorAll("button")[t + o]?.focus();
		else if (!n() && e.key === "i" || !n() && e.key === "Enter" && e.shiftKey) r.isolateHead(a);
		else return;
		e.preventDefault();
	}
	let o = [];
	function s(e, t) {
		n() ? r.selection.heads = [t] : (e.detail <= 1 && (o = r.heads), r.toggleHead(t));
	}
	function c(e) {
		n() || (r.selection.heads = o, r.isolateHead(e));
	}
	var l = qa(), u = F(l);
	Y(u, 18, () => r.layer.heads, (e) => e, (e, t, i) => {
		let o = /* @__PURE__ */ j(() => n() ? r.heads[0] === t : r.heads.includes(t));
		var l = Ga();
		let u, d;
		var f = L(l, !0);
		z((e) => {
			Z(l, "aria-pressed", U(o)), Z(l, "aria-label", `Head ${r.layer.layer ?? ""}.${t ?? ""}`), Z(l, "title", `Head ${r.layer.layer ?? ""}.${t ?? ""}${n() ? "" : ": click to switch, double-click to show alone (key i)"}`), u = si(l, 1, "svelte-1l12xf4", null, u, { on: U(o) }), d = X(l, "", d, { "--colour": e }), q(f, t);
		}, [() => r.colourOf(t)]), W("click", l, (e) => s(e, t)), W("dblclick", l, () => c(t)), W("keydown", l, (e) => a(e, U(i), t)), K(e, l);
	});
	var d = R(u, 2), f = (e) => {
		var t = Ka();
		z(() => t.disabled = r.heads.length === r.layer.heads.length), W("click", t, () => r.selection.heads = [...r.layer.heads]), K(e, t);
	};
	J(d, (e) => {
		n() || e(f);
	}), O(l), Oi(l, (e) => i = e, () => i), z(() => Z(l, "aria-label", `Heads of layer ${r.layer.layer ?? ""}`)), K(e, l), Ze();
}
wr([
	"click",
	"dblclick",
	"keydown"
]);
// src/parts/Readout.svelte
var Ya = /* @__PURE__ */ G("<span class=\"part svelte-a5qbqs\"><i class=\"svelte-a5qbqs\"></i><b class=\"svelte-a5qbqs\"> </b> <bdi> </bdi></span>"), Xa = /* @__PURE__ */ G("<strong><bdi> </bdi></strong> <!>", 1), Za = /* @__PURE__ */ G("<span class=\"hint svelte-a5qbqs\"> </span>"), Qa = /* @__PURE__ */ G("<div class=\"readout svelte-a5qbqs\" role=\"status\"><!></div>");
function $a(e, t) {
	Xe(t, !0);
	let n = Je("store"), r = /* @__PURE__ */ j(() => n.hover ?? n.active.at(-1));
	function i(e, t, r, i) {
		let a = n.unitsAt(t), o = [...e.keys()].sort((t, n) => e[n] - e[t]).slice(0, r).filter((t) => e[t] >= .005).map((t) => `${na(a[t].text, 18)} ${La(e[t])}`);
		return i >= .005 && o.push(`rest ${La(i)}`), o.join(" · ") || "nothing";
	}
	let a = /* @__PURE__ */ j(() => {
		if (!U(r)) return [];
		let [e, a] = U(r), o = e === "query" ? "key" : "query", s = t.heads.map((r) => {
			let i = n.unitMap(r, t.layer);
			return {
				weights: e === "query" ? i.row(a) : i.column(a),
				rest: e === "query" ? i.rest(a) : 0
			};
		});
		if (t.heads.length > 4) {
			let e = s.reduce((e, t) => e + t.rest, 0) / s.length;
			return [{
				head: `mean of ${t.heads.length} heads`,
				colour: n.colours.quiet,
				text: i(Na(s.map((e) => e.weights)), o, 6, e)
			}];
		}
		return s.map(({ weights: e, rest: r }, a) => ({
			head: `${t.layer}.${t.heads[a]}`,
			colour: n.colourOf(t.heads[a]),
			text: i(e, o, t.heads.length === 1 ? 6 : 3, r)
		}));
	}), o = /* @__PURE__ */ j(() => matchMedia("(hover: hover)").matches ? "Point at a token to see only its links; click to pin it, and more of them. Escape unpins." : "Tap a token to see only its links; tap more to compare.");
	var s = Qa(), c = F(s), l = (e) => {
		var t = Xa(), i = I(t), o = L(F(i), !0);
		O(i);
		var s = R(i);
		Y(R(s), 17, () => U(a), (e) => e.head, (e, t) => {
			var n = Ya(), r = F(n);
			let i;
			var a = R(r), o = L(a, !0), s = L(R(a, 2), !0);
			O(n), z(() => {
				i = X(r, "", i, { background: U(t).colour }), q(o, U(t).head), q(s, U(t).text);
			}), K(e, n);
		}), z((e) => {
			q(o, e), q(s, ` ${U(r)[0] === "query" ? "attends to" : "is attended to by"} `);
		}, [() => na(n.unitsAt(U(r)[0])[U(r)[1]]?.text ?? "", 24)]), K(e, t);
	}, u = (e) => {
		var t = Za(), n = L(t, !0);
		z(() => q(n, U(o))), K(e, t);
	};
	J(c, (e) => {
		U(r) ? e(l) : e(u, -1);
	}), O(s), K(e, s), Ze();
}
// src/views/HeadView.svelte
var eo = /* @__PURE__ */ G("<!> <!> <!>", 1);
function to(e, t) {
	Xe(t, !0);
	let n = Je("store"), r;
	Cn(() => {
		n.picture = () => r.picture();
	});
	var i = eo(), a = I(i);
	Ja(a, {});
	var o = R(a, 2);
	Oi(Wa(o, {
		get layer() {
			return n.layer.layer;
		},
		get heads() {
			return n.heads;
		}
	}), (e) => r = e, () => r), $a(R(o, 2), {
		get layer() {
			return n.layer.layer;
		},
		get heads() {
			return n.heads;
		}
	}), K(e, i), Ze();
}
function no({ width: e, height: t, columns: n, rows: r }) {
	return {
		x: 0,
		y: 0,
		cell: Math.min(48, e / n, t / r)
	};
}
function ro(e, t, n, r, i) {
	let a = Math.max(no(t).cell, Math.min(48, e.cell * n));
	return oo({
		x: e.x + r / e.cell - r / a,
		y: e.y + i / e.cell - i / a,
		cell: a
	}, t);
}
function io(e, t, n, r) {
	return oo({
		...e,
		x: e.x - n / e.cell,
		y: e.y - r / e.cell
	}, t);
}
function ao(e, t, n, r) {
	let i = (t, n, r) => Math.min(n, Math.max(t, n + 1 - r / e.cell));
	return oo({
		...e,
		x: i(e.x, n, t.width),
		y: i(e.y, r, t.height)
	}, t);
}
function oo(e, { width: t, height: n, columns: r, rows: i }) {
	let a = (t, n, r) => Math.max(0, Math.min(t, n - r / e.cell));
	return {
		...e,
		x: a(e.x, r, t),
		y: a(e.y, i, n)
	};
}
// src/draw/ramp.ts
var so = {
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
}, co = {};
function lo(e) {
	let t = e ? "dark" : "light";
	return co[t] ??= uo(so[t]);
}
function uo(e) {
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
function fo(e, t) {
	let n = Math.max(0, Math.min(255, Math.round(t * 255))) * 4, [r, i, a] = lo(e).slice(n, n + 3);
	return `#${[
		r,
		i,
		a
	].map((e) => e.toString(16).padStart(2, "0")).join("")}`;
}
function po(e, t, n, r) {
	let i = document.createElement("canvas");
	i.width = t, i.height = n;
	let a = new ImageData(t, n), o = new Uint32Array(lo(r).buffer), s = new Uint32Array(a.data.buffer);
	for (let t = 0; t < e.length; t++) s[t] = o[e[t]];
	return i.getContext("2d").putImageData(a, 0, 0), i;
}
var mo = 160;
function ho(e) {
	return e >= 1 ? 0 : Math.ceil(-Math.log2(e) - 1e-9);
}
function go(e, t, n, r, i, a, o) {
	let s = 256 << e, c = (e, t) => Math.max(0, Math.min(Math.floor(e / s), Math.floor((t - 1) / s))), l = [];
	for (let e = c(n, o); e <= c(i, o); e++) for (let n = c(t, a); n <= c(r, a); n++) l.push([n, e]);
	return l;
}
function _o(e) {
	let t = Math.max(1, Math.floor(e.queries.length / 512)), n = [];
	for (let r = 0; r < e.queries.length; r += t) {
		let t = 0;
		e.visit(r, (e, n) => t = Math.max(t, n)), n.push(t);
	}
	return n.sort((e, t) => e - t), n[Math.floor((n.length - 1) * .9)] || 1;
}
function vo(e, t) {
	return Math.min(255, Math.round(255 * Math.sqrt(e / t)));
}
function yo(e, t, n, r, i, a) {
	let o = /* @__PURE__ */ new Uint8Array(65536), s = 256 << r, [c, l] = [i * s, a * s], u = Math.min(l + s, e.queries.length);
	for (let i = l; i < u; i++) {
		let a = (i - l >> r) * 256, u = n ? i + 1 : e.keys.length, d = u - e.map.width, f = d > 0 ? vo(e.rest(i) / d, t) : 0;
		if (f > 0) for (let e = 0; e < 256 && c + (e << r) < u; e++) o[a + e] < f && (o[a + e] = f);
		e.visit(i, (e, n) => {
			if (e < c || e >= c + s) return;
			let i = a + (e - c >> r);
			o[i] = Math.max(o[i], vo(n, t));
		});
	}
	return o;
}
var bo = class {
	kept = /* @__PURE__ */ new Map();
	get(e, t) {
		let n = this.kept.get(e) ?? t();
		return this.kept.delete(e), this.kept.set(e, n), this.kept.size > mo && this.kept.delete(this.kept.keys().next().value), n;
	}
	has(e) {
		return this.kept.has(e);
	}
}, xo = /* @__PURE__ */ G("<bdi> </bdi> <bdi> </bdi> <strong> </strong>", 1), So = /* @__PURE__ */ G("<span class=\"hint svelte-292knk\">Rows attend, columns are attended to. Wheel or pinch to zoom, drag to move.</span>"), Co = /* @__PURE__ */ G("<i class=\"svelte-292knk\"></i>"), wo = /* @__PURE__ */ G("<!> <div class=\"matrix svelte-292knk\"><canvas tabindex=\"0\" role=\"application\" class=\"svelte-292knk\"></canvas></div> <div class=\"readout svelte-292knk\"><span role=\"status\"><!></span> <span class=\"zoom svelte-292knk\" role=\"group\" aria-label=\"Zoom\"><button type=\"button\" class=\"plain\" aria-label=\"Zoom in\">+</button> <button type=\"button\" class=\"plain\" aria-label=\"Zoom out\">−</button> <button type=\"button\" class=\"plain\">Fit</button></span> <span class=\"scale svelte-292knk\"><span class=\"level svelte-292knk\"> </span> 0 <!> </span></div>", 1);
function To(e, t) {
	Xe(t, !0);
	let n = Je("store"), r, i = /* @__PURE__ */ N({
		width: 600,
		height: 400
	}), a = /* @__PURE__ */ N(null), o = /* @__PURE__ */ N(null), s = /* @__PURE__ */ N(0), c = new bo(), l = /* @__PURE__ */ j(() => n.heads[0]), u = /* @__PURE__ */ j(() => n.unitMap(U(l))), d = /* @__PURE__ */ j(() => _o(U(u))), f = /* @__PURE__ */ j(() => U(i).width < 560 ? 76 : 120), p = /* @__PURE__ */ j(() => U(i).width < 560 ? 70 : 96), m = /* @__PURE__ */ j(() => ({
		width: Math.max(1, U(i).width - U(f) - 8),
		height: Math.max(1, U(i).height - U(p) - 8),
		columns: n.keys.length,
		rows: n.queries.length
	})), h = /* @__PURE__ */ j(() => U(a) ?? no(U(m))), g = /* @__PURE__ */ j(() => U(f) + Math.max(0, (U(m).width - U(m).columns * U(h).cell) / 2)), _ = /* @__PURE__ */ j(() => ho(U(h).cell)), v = /* @__PURE__ */ j(() => [
		n.attention.attention,
		n.layer.layer,
		U(l),
		n.selection.level,
		n.selection.sentences,
		n.dark
	].join(" "));
	Cn(() => {
		n.queries, n.keys, P(a, null), P(o, null);
	});
	let y = /* @__PURE__ */ j(() => ({
		right: Math.min(U(m).columns, U(h).x + U(m).width / U(h).cell),
		bottom: Math.min(U(m).rows, U(h).y + U(m).height / U(h).cell)
	}));
	function b(e) {
		let t = performance.now(), r = [];
		for (let [i, a] of go(U(_), U(h).x, U(h).y, U(y).right, U(y).bottom, U(m).columns, U(m).rows)) {
			let o = `${U(v)} ${U(_)} ${i} ${a}`;
			if (e && !c.has(o) && performance.now() - t > 14) {
				requestAnimationFrame(() => Zt(s));
				break;
			}
			let l = 256 << U(_), f = c.get(o, () => po(yo(U(u), U(d), n.attention.causal, U(_), i, a), 256, 256, n.dark)), m = l * U(h).cell;
			r.push({
				type: "raster",
				x: U(g) + (i * l - U(h).x) * U(h).cell,
				y: U(p) + (a * l - U(h).y) * U(h).cell,
				width: m,
				height: m,
				source: f
			});
		}
		return r;
	}
	function x() {
		let { cell: e, x: t, y: r } = U(h), { ink: a, quiet: s } = n.colours, c = Math.max(1, Math.ceil(13 / e)), l = [];
		for (let t = Math.ceil(Math.floor(r) / c) * c; t < U(y).bottom; t += c) {
			let c = U(p) + (t + .5 - r) * e;
			if (c < U(p)) continue;
			let u = U(o)?.row === t ? a : s;
			l.push({
				type: "words",
				x: U(g) - 6,
				y: c,
				text: na(n.queries[t].text, U(i).width < 560 ? 9 : 15),
				size: 12,
				colour: u,
				anchor: "end"
			});
		}
		for (let r = Math.ceil(Math.floor(t) / c) * c; r < U(y).right; r += c) {
			let c = U(g) + (r + .5 - t) * e;
			if (c < U(g)) continue;
			let u = U(o)?.column === r ? a : s;
			l.push({
				type: "words",
				x: c,
				y: U(p) - 6,
				text: na(n.keys[r].text, U(i).width < 560 ? 9 : 13),
				size: 12,
				colour: u,
				anchor: "start",
				turn: -90
			});
		}
		return l;
	}
	function S() {
		let { edge: e, quiet: t } = n.colours, r = U(g) + (U(y).right - U(h).x) * U(h).cell, i = U(p) + (U(y).bottom - U(h).y) * U(h).cell, a = (e, t, n, r, i) => ({
			type: "line",
			from: [e, t],
			to: [n, r],
			colour: i,
			alpha: 1,
			width: 1
		}), o = [
			a(U(g), U(p), r, U(p), e),
			a(U(g), i, r, i, e),
			a(U(g), U(p), U(g), i, e),
			a(r, U(p), r, i, e)
		], s = n.selection.sentences === "all" ? n.queries.findIndex((e) => e.start === n.querySide.b_start) : -1;
		if (!n.hasSentences || s < 0) return o;
		let [c, l] = [U(g) + (s - U(h).x) * U(h).cell, U(p) + (s - U(h).y) * U(h).cell];
		return c > U(g) && c < r && o.push(a(c, U(p), c, i, t)), l > U(p) && l < i && o.push(a(U(g), l, r, l, t)), o;
	}
	Cn(() => {
		U(s);
		let e = Math.min(window.devicePixelRatio || 1, 3);
		r.width = Math.round(U(i).width * e), r.height = Math.round(U(i).height * e);
		let t = r.getContext("2d");
		if (t.scale(e, e), t.save(), t.beginPath(), t.rect(U(g), U(p), (U(y).right - U(h).x) * U(h).cell, (U(y).bottom - U(h).y) * U(h).cell), t.clip(), Ji(t, b(!0)), U(o)) {
			t.strokeStyle = n.colours.negative, t.lineWidth = 2;
			let e = Math.max(6, U(h).cell);
			t.strokeRect(U(g) + (U(o).column + .5 - U(h).x) * U(h).cell - e / 2, U(p) + (U(o).row + .5 - U(h).y) * U(h).cell - e / 2, e, e);
		}
		t.restore(), Ji(t, [...x(), ...S()]);
	}), Cn(() => {
		let e = new ResizeObserver(() => P(i, {
			width: r.clientWidth,
			height: r.clientHeight
		}));
		return e.observe(r), () => e.disconnect();
	});
	function C() {
		let [e, t] = [U(y).right - U(h).x, U(y).bottom - U(h).y], r = [];
		if (e * t <= 4200) for (let e = Math.floor(U(h).y); e < U(y).bottom; e++) U(u).visit(e, (t, i) => {
			if (t < Math.floor(U(h).x) || t >= U(y).right) return;
			let a = fo(n.dark, vo(i, U(d)) / 255);
			r.push({
				type: "box",
				x: U(g) + (t - U(h).x) * U(h).cell,
				y: U(p) + (e - U(h).y) * U(h).cell,
				width: U(h).cell,
				height: U(h).cell,
				colour: a,
				alpha: 1
			});
		});
		else {
			let n = document.createElement("canvas");
			n.width = Math.round(e * U(h).cell * 2), n.height = Math.round(t * U(h).cell * 2);
			let i = n.getContext("2d");
			i.scale(2, 2), i.translate(-U(g), -U(p)), Ji(i, b(!1)), r.push({
				type: "raster",
				x: U(g),
				y: U(p),
				width: e * U(h).cell,
				height: t * U(h).cell,
				source: n
			});
		}
		return {
			width: U(g) + e * U(h).cell + 8,
			height: U(p) + t * U(h).cell + 8,
			marks: [
				...r,
				...x(),
				...S()
			]
		};
	}
	Cn(() => {
		n.picture = C;
	});
	function w(e) {
		let t = r.getBoundingClientRect(), [n, i] = [e.clientX - t.left - U(g), e.clientY - t.top - U(p)];
		return {
			px: n,
			py: i,
			column: Math.floor(U(h).x + n / U(h).cell),
			row: Math.floor(U(h).y + i / U(h).cell)
		};
	}
	function ee(e) {
		e.preventDefault();
		let { px: t, py: n } = w(e);
		P(a, ro(U(h), U(m), Math.exp(-e.deltaY * .0022), t, n));
	}
	Cn(() => (r.addEventListener("wheel", ee, { passive: !1 }), () => r.removeEventListener("wheel", ee)));
	let te = /* @__PURE__ */ new Map();
	function ne(e) {
		let t = te.get(e.pointerId), { row: n, column: r, px: i, py: s } = w(e);
		if (!t) {
			let e = i >= 0 && s >= 0 && n < U(m).rows && r < U(m).columns;
			P(o, e ? {
				row: n,
				column: r
			} : null);
			return;
		}
		let c = [...te.values()].filter((t) => t.pointerId !== e.pointerId);
		if (c.length === 1) {
			let n = (e, t) => Math.hypot(e.clientX - t.clientX, e.clientY - t.clientY);
			P(a, ro(U(h), U(m), n(e, c[0]) / Math.max(1, n(t, c[0])), i, s));
		} else P(a, io(U(h), U(m), e.clientX - t.clientX, e.clientY - t.clientY));
		te.set(e.pointerId, e);
	}
	function re(e) {
		r.setPointerCapture(e.pointerId), te.set(e.pointerId, e);
		let { row: t, column: n, px: i, py: a } = w(e);
		i >= 0 && a >= 0 && t < U(m).rows && n < U(m).columns && P(o, {
			row: t,
			column: n
		});
	}
	let ie = (e) => te.delete(e.pointerId);
	function ae(e) {
		let t = U(o) ? [(U(o).column + .5 - U(h).x) * U(h).cell, (U(o).row + .5 - U(h).y) * U(h).cell] : [U(m).width / 2, U(m).height / 2];
		P(a, ro(U(h), U(m), e, t[0], t[1]));
	}
	function oe(e) {
		let t = {
			ArrowLeft: [0, -1],
			ArrowRight: [0, 1],
			ArrowUp: [-1, 0],
			ArrowDown: [1, 0]
		}[e.key];
		if (t) {
			let n = e.shiftKey ? 10 : 1, r = U(o) ?? {
				row: 0,
				column: 0
			}, i = (e, t) => Math.max(0, Math.min(t - 1, e));
			P(o, {
				row: i(r.row + t[0] * n, U(m).rows),
				column: i(r.column + t[1] * n, U(m).columns)
			}), P(a, ao(U(h), U(m), U(o).column, U(o).row));
		} else if (e.key === "+" || e.key === "=") ae(1.5);
		else if (e.key === "-") ae(1 / 1.5);
		else if (e.key === "0") P(a, null);
		else return;
		e.preventDefault();
	}
	let se = /* @__PURE__ */ j(() => {
		if (!U(o)) return null;
		let e = U(u).row(U(o).row)[U(o).column], t = U(u).rest(U(o).row);
		return {
			from: n.queries[U(o).row],
			to: n.keys[U(o).column],
			weight: e,
			hidden: e === 0 && U(u).map.sparse,
			rest: t
		};
	});
	var ce = wo(), le = I(ce);
	Ja(le, { single: !0 });
	var ue = R(le, 2), de = F(ue);
	Oi(de, (e) => r = e, () => r), O(ue);
	var fe = R(ue, 2), pe = F(fe), me = F(pe), he = (e) => {
		var t = xo(), n = I(t), r = L(n, !0), i = R(n), a = R(i), o = L(a, !0), s = R(a), c = L(R(s), !0);
		z((e, t, n) => {
			q(r, e), q(i, ` (${U(se).from.start ?? ""}) → `), q(o, t), q(s, ` (${U(se).to.start ?? ""}): `), q(c, n);
		}, [
			() => na(U(se).from.text, 24),
			() => na(U(se).to.text, 24),
			() => U(se).hidden ? `among the rest of ${La(U(se).rest)}` : La(U(se).weight)
		]), K(e, t);
	}, T = (e) => {
		K(e, So());
	};
	J(me, (e) => {
		U(se) ? e(he) : e(T, -1);
	}), O(pe);
	var ge = R(pe, 2), _e = F(ge), ve = R(_e, 2), ye = R(ve, 2);
	O(ge);
	var be = R(ge, 2), E = F(be), xe = L(E, !0), D = R(E, 2);
	Y(D, 16, () => ({ length: 24 }), Wr, (e, t, r) => {
		var i = Co();
		let a;
		z((e) => a = X(i, "", a, { background: e }), [() => fo(n.dark, r / 23)]), K(e, i);
	});
	var Se = R(D);
	O(be), O(fe), z((e) => {
		Z(de, "aria-label", `Map of head ${n.layer.layer ?? ""}.${U(l) ?? ""}: ${U(m).rows ?? ""} by ${U(m).columns ?? ""} tokens. Arrow keys move, plus and minus zoom, 0 shows all.`), Z(E, "data-level", U(_)), q(xe, U(_) === 0 ? "every token" : `each pixel: strongest of ${2 ** U(_)} × ${2 ** U(_)} tokens`), q(Se, ` ${U(d) < U(u).map.scale * .99 ? "≥ " : ""}${e ?? ""}`);
	}, [() => La(U(d))]), W("pointerdown", de, re), W("pointermove", de, ne), W("pointerup", de, ie), Cr("pointercancel", de, ie), Cr("pointerleave", de, (e) => e.pointerType === "mouse" && te.size === 0 && P(o, null)), W("keydown", de, oe), W("click", _e, () => ae(1.6)), W("click", ve, () => ae(1 / 1.6)), W("click", ye, () => P(a, null)), K(e, ce), Ze();
}
wr([
	"pointerdown",
	"pointermove",
	"pointerup",
	"keydown",
	"click"
]);
// src/core/grid.ts
var Eo = 34, Do = 4, Oo = 14, ko = 6;
function Ao(e, t, n, r, i) {
	let a = t.find((e) => e.name === r), o = (e, t) => `${e}.${t}`, s = (t) => t.filter(([t]) => t === e.attention), c = new Map(s(a?.values ?? []).map(([, e, t, n]) => [o(e, t), n])), l = n.find((e) => e.name === i), u = l && new Set(s(l.heads).map(([, e, t]) => o(e, t))), d = e.layers.flatMap(({ layer: e, heads: t }) => t.map((t) => ({
		layer: e,
		head: t,
		value: c.get(o(e, t)) ?? null
	}))).filter(({ layer: e, head: t }) => !u || u.has(o(e, t)));
	return a ? d.sort((e, t) => (t.value ?? -Infinity) - (e.value ?? -Infinity)) : d;
}
function jo(e, t, n) {
	let r = t ? Eo : Do;
	if (t) {
		let t = [...new Set(e.map(({ layer: e }) => e))], i = Math.max(1, ...t.map((t) => e.filter((e) => e.layer === t).length)), a = Math.max(24, Math.min(112, Math.floor((n - r - Do) / i) - Do)), o = a >= 44 ? Oo : 0, s = (e) => ko + e * (a + Do + o), c = /* @__PURE__ */ new Map();
		return {
			cells: e.map((e) => {
				let n = c.get(e.layer) ?? 0;
				return c.set(e.layer, n + 1), {
					...e,
					x: r + n * (a + Do),
					y: s(t.indexOf(e.layer))
				};
			}),
			size: a,
			perRow: i,
			width: Math.max(n, r + i * (a + Do)),
			height: s(t.length) + ko,
			rowTop: s
		};
	}
	let i = n < 500 ? 62 : 78, a = Math.max(1, Math.floor((n - r) / (i + Do))), o = (e) => ko + e * (i + Do + Oo);
	return {
		cells: e.map((e, t) => ({
			...e,
			x: r + t % a * (i + Do),
			y: o(Math.floor(t / a))
		})),
		size: i,
		perRow: a,
		width: n,
		height: o(Math.ceil(e.length / a)) + ko,
		rowTop: o
	};
}
// src/draw/thumbnail.ts
function Mo(e, t, n, r, i, a, o) {
	let s = r < 40 ? .15 : .04, c = Math.min(1, r / 64), l = (e, t) => o + 3 + (e + .5) * (r - 6) / t, u = [];
	for (let o = 0; o < t; o++) for (let d = e.rows[o]; d < e.rows[o + 1]; d++) {
		let f = e.weight[d];
		f < s || u.push({
			type: "line",
			from: [a + 3, l(o, t)],
			to: [a + r - 3, l(e.to[d], n)],
			colour: i,
			alpha: Math.min(1, .08 + f ** .8),
			width: (.5 + f * .7) * c
		});
	}
	return u;
}
function No(e, t, n, r) {
	let i = new Uint8Array(r * r);
	for (let a = 0; a < t; a++) {
		let o = Math.floor(a * r / t) * r;
		for (let t = e.rows[a]; t < e.rows[a + 1]; t++) {
			let a = o + Math.floor(e.to[t] * r / n), s = Math.min(255, Math.round(Math.sqrt(e.weight[t]) * 255));
			s > i[a] && (i[a] = s);
		}
	}
	return i;
}
// src/parts/HeadDetail.svelte
var Po = /* @__PURE__ */ G("<span class=\"label svelte-1q3bs3j\"> </span>"), Fo = /* @__PURE__ */ G("<div class=\"svelte-1q3bs3j\"><dt class=\"svelte-1q3bs3j\"> </dt> <dd class=\"svelte-1q3bs3j\"> </dd></div>"), Io = /* @__PURE__ */ G("<section class=\"detail svelte-1q3bs3j\"><header class=\"svelte-1q3bs3j\"><h2 class=\"svelte-1q3bs3j\"> </h2> <!> <button type=\"button\" class=\"plain\">Open in head view</button> <button type=\"button\" class=\"plain\" aria-label=\"Close the detail\">✕</button></header> <!> <dl class=\"svelte-1q3bs3j\"></dl> <!></section>");
function Lo(e, t) {
	Xe(t, !0);
	let n = Je("store"), r;
	function i() {
		let { width: e, height: i, marks: a } = r.picture(), o = {
			type: "words",
			x: 12,
			y: 14,
			text: `Layer ${t.layer}, head ${t.head}`,
			size: 15,
			colour: n.colours.ink,
			anchor: "start",
			bold: !0
		};
		return {
			width: e,
			height: i + 28,
			marks: [o, ...ta(a, 0, 28)]
		};
	}
	let a = /* @__PURE__ */ j(() => n.scene.statistics.flatMap(({ name: e, values: r }) => {
		let i = r.find(([e, r, i]) => e === n.attention.attention && r === t.layer && i === t.head);
		return i ? [{
			name: e,
			value: i[3]
		}] : [];
	})), o = /* @__PURE__ */ j(() => n.scene.labels.filter(({ heads: e }) => e.some(([e, r, i]) => e === n.attention.attention && r === t.layer && i === t.head)));
	var s = { picture: i }, c = Io(), l = F(c), u = F(l), d = L(u), f = R(u, 2);
	Y(f, 17, () => U(o), (e) => e.name, (e, t) => {
		var n = Po(), r = L(n, !0);
		z(() => q(r, U(t).name)), K(e, n);
	});
	var p = R(f, 2), m = R(p, 2);
	O(l);
	var h = R(l, 2);
	{
		let e = /* @__PURE__ */ j(() => [t.head]);
		Oi(Wa(h, {
			get layer() {
				return t.layer;
			},
			get heads() {
				return U(e);
			}
		}), (e) => r = e, () => r);
	}
	var g = R(h, 2);
	Y(g, 21, () => U(a), ({ name: e, value: t }) => e, (e, t) => {
		let n = () => U(t).name, r = () => U(t).value;
		var i = Fo(), a = F(i), o = L(a, !0), s = L(R(a, 2), !0);
		O(i), z((e) => {
			q(o, n()), q(s, e);
		}, [() => r().toPrecision(2)]), K(e, i);
	}), O(g);
	var _ = R(g, 2);
	{
		let e = /* @__PURE__ */ j(() => [t.head]);
		$a(_, {
			get layer() {
				return t.layer;
			},
			get heads() {
				return U(e);
			}
		});
	}
	return O(c), z(() => {
		Z(c, "aria-label", `Layer ${t.layer ?? ""}, head ${t.head ?? ""}`), q(d, `Layer ${t.layer ?? ""}, head ${t.head ?? ""}`);
	}), W("click", p, () => {
		n.selection.layer = t.layer, n.selection.heads = [t.head], n.selection.kind = "head";
	}), W("click", m, () => n.opened = null), K(e, c), Ze(s);
}
wr(["click"]);
// src/views/ModelView.svelte
var Ro = /* @__PURE__ */ G("<span class=\"layer svelte-1xwjh1o\" aria-hidden=\"true\"> </span>"), zo = /* @__PURE__ */ G("<span class=\"caption svelte-1xwjh1o\" aria-hidden=\"true\"> </span>"), Bo = /* @__PURE__ */ G("<button type=\"button\"></button> <!>", 1), Vo = /* @__PURE__ */ G("<p class=\"none svelte-1xwjh1o\">No head has this label.</p>"), Ho = /* @__PURE__ */ G("<div role=\"group\" aria-label=\"Heads\"><!> <!> <!></div>"), Uo = /* @__PURE__ */ G("<div class=\"model svelte-1xwjh1o\"><div class=\"grid svelte-1xwjh1o\"><!></div> <!></div>");
function Wo(e, t) {
	Xe(t, !0);
	let n = Je("store"), r = /* @__PURE__ */ N(900), i, a = /* @__PURE__ */ N(0), o = /* @__PURE__ */ N(void 0), s = /* @__PURE__ */ j(() => n.order === "layer" && n.label === ""), c = /* @__PURE__ */ j(() => Ao(n.attention, n.scene.statistics, n.scene.labels, n.order, n.label)), l = /* @__PURE__ */ j(() => jo(U(c), U(s), U(r))), u = /* @__PURE__ */ j(() => U(l).size), d = /* @__PURE__ */ j(() => (n.attention, n.queries, n.keys, n.dark, U(u), /* @__PURE__ */ new Map())), f = /* @__PURE__ */ N(0);
	function p(e) {
		let t = Math.min(window.devicePixelRatio || 1, 2), n = document.createElement("canvas");
		n.width = n.height = Math.round(U(u) * t);
		let r = n.getContext("2d");
		return r.scale(t, t), Ji(r, m(e, 0, 0)), n;
	}
	function m(e, t, r) {
		let i = n.unitMap(e.head, e.layer).links(.04), [a, o] = [n.queries.length, n.keys.length];
		if (Math.max(a, o) <= 96) return Mo(i, a, o, U(u), n.colourOf(e.head), t, r);
		let s = Math.min(128, Math.max(a, o));
		return [{
			type: "raster",
			x: t,
			y: r,
			width: U(u),
			height: U(u),
			source: po(No(i, a, o, s), s, s, n.dark)
		}];
	}
	function h(e, t) {
		U(f);
		let n = performance.now(), r = !1;
		for (let i of U(l).cells) {
			if (i.y + U(u) < t.y || i.y > t.y + t.height) continue;
			let a = `${i.layer}.${i.head}`, o = U(d).get(a);
			!o && performance.now() - n > 12 ? r = !0 : (o ??= p(i), U(d).set(a, o), e.drawImage(o, i.x, i.y, U(u), U(u)));
		}
		r && requestAnimationFrame(() => Zt(f));
	}
	function g() {
		let { colours: e } = n, t = U(l).cells.flatMap((t) => [...m(t, t.x, t.y), {
			type: "words",
			x: t.x + U(u) / 2,
			y: t.y + U(u) + 7,
			text: _(t),
			size: 9,
			colour: e.quiet,
			anchor: "middle"
		}]);
		if (!U(o)) return {
			width: U(l).width,
			height: U(l).height,
			marks: t
		};
		let r = U(o).picture();
		return {
			width: U(l).width + r.width,
			height: Math.max(U(l).height, r.height),
			marks: [...t, ...ta(r.marks, U(l).width, 0)]
		};
	}
	Cn(() => {
		n.picture = g;
	});
	function _(e) {
		return e.value === null ? `${e.layer}.${e.head}` : `${e.layer}.${e.head} · ${e.value.toPrecision(2)}`;
	}
	function v(e) {
		return n.opened?.[1] === e.layer && n.opened[2] === e.head;
	}
	function y(e, t) {
		P(a, t, !0), n.hover = null, n.selection.pinned = [], n.opened = v(e) ? null : [
			n.attention.attention,
			e.layer,
			e.head
		];
	}
	function b(e, t) {
		let n = {
			ArrowLeft: -1,
			ArrowRight: 1,
			ArrowUp: -U(l).perRow,
			ArrowDown: U(l).perRow
		}[e.key];
		n !== void 0 && (e.preventDefault(), P(a, Math.max(0, Math.min(U(l).cells.length - 1, t + n)), !0), i.querySelectorAll("button.head")[U(a)]?.focus());
	}
	var x = Uo(), S = F(x);
	za(F(S), {
		get width() {
			return U(l).width;
		},
		get height() {
			return U(l).height;
		},
		draw: h,
		get room() {
			return U(r);
		},
		set room(e) {
			P(r, e, !0);
		},
		children: (e) => {
			var t = Ho(), r = F(t), i = (e) => {
				var t = Nr();
				Y(I(t), 19, () => n.attention.layers, (e) => e.layer, (e, t, n) => {
					var r = Ro();
					let i;
					var a = L(r, !0);
					z((e) => {
						i = X(r, "", i, {
							top: e,
							height: `${U(u) ?? ""}px`
						}), q(a, U(t).layer);
					}, [() => `${U(l).rowTop(U(n)) ?? ""}px`]), K(e, r);
				}), K(e, t);
			};
			J(r, (e) => {
				U(s) && e(i);
			});
			var o = R(r, 2);
			Y(o, 19, () => U(l).cells, (e) => `${e.layer}.${e.head}`, (e, t, n) => {
				var r = Bo(), i = I(r);
				let o, c;
				var l = R(i, 2), d = (e) => {
					var n = zo();
					let r;
					var i = L(n, !0);
					z((e) => {
						r = X(n, "", r, {
							left: `${U(t).x ?? ""}px`,
							top: `${U(t).y + U(u)}px`,
							width: `${U(u) ?? ""}px`
						}), q(i, e);
					}, [() => na(_(U(t)), 14)]), K(e, n);
				};
				J(l, (e) => {
					(!U(s) || U(u) >= 44) && e(d);
				}), z((e, r, s, l) => {
					o = si(i, 1, "head svelte-1xwjh1o", null, o, { open: e }), Z(i, "aria-pressed", r), Z(i, "aria-label", `Head ${s ?? ""}`), Z(i, "title", `Head ${l ?? ""}`), Z(i, "tabindex", U(a) === U(n) ? 0 : -1), c = X(i, "", c, {
						left: `${U(t).x ?? ""}px`,
						top: `${U(t).y ?? ""}px`,
						width: `${U(u) ?? ""}px`,
						height: `${U(u) ?? ""}px`
					});
				}, [
					() => v(U(t)),
					() => v(U(t)),
					() => _(U(t)),
					() => _(U(t))
				]), W("click", i, () => y(U(t), U(n))), W("keydown", i, (e) => b(e, U(n))), K(e, r);
			});
			var c = R(o, 2), d = (e) => {
				K(e, Vo());
			};
			J(c, (e) => {
				U(l).cells.length === 0 && e(d);
			}), O(t), K(e, t);
		},
		$$slots: { default: !0 }
	}), O(S), Oi(S, (e) => i = e, () => i);
	var C = R(S, 2), w = (e) => {
		Oi(Lo(e, {
			get layer() {
				return n.opened[1];
			},
			get head() {
				return n.opened[2];
			}
		}), (e) => P(o, e, !0), () => U(o));
	};
	J(C, (e) => {
		n.opened && e(w);
	}), O(x), K(e, x), Ze();
}
wr(["click", "keydown"]);
// src/core/vectors.ts
var Go = class {
	scaling;
	query;
	key;
	value;
	constructor(e, t, n) {
		if (!t.vectors) throw Error(`Layer ${t.layer} has no vectors.`);
		this.scaling = t.vectors.scaling, this.query = new Ko(e, t.vectors.query, n), this.key = new Ko(e, t.vectors.key, n), this.value = new Ko(e, t.vectors.value, n);
	}
	dot(e, t) {
		let n = 0;
		for (let r = 0; r < this.query.dim; r++) n += this.query.at(e, r) * this.key.at(t, r);
		return n * this.scaling;
	}
	output(e) {
		let t = new Float32Array(this.value.dim);
		for (let n = 0; n < e.length; n++) if (e[n] > 0) for (let r = 0; r < t.length; r++) t[r] += e[n] * this.value.at(n, r);
		return t;
	}
}, Ko = class {
	tokens;
	dim;
	typical;
	values;
	unit;
	origin;
	constructor(e, t, n) {
		let [, r, i] = t.values.shape;
		this.tokens = r, this.dim = i, this.values = Ri(e, t.values), this.unit = t.scale[n] / 32767, this.origin = n * r * i;
		let a = 0;
		for (let e = 0; e < r * i; e++) a += (this.values[this.origin + e] * this.unit) ** 2;
		this.typical = Math.sqrt(a / (r * i)) || 1;
	}
	at(e, t) {
		return this.values[this.origin + e * this.dim + t] * this.unit;
	}
}, $ = 64, qo = 62, Jo = 92, Yo = 14;
function Xo(e, t, n, r) {
	let i = 2 * t + qo + Jo + 84 + 8, a = Math.max(1, Math.ceil(64 / n)), o = Math.max(a, Math.min(12, Math.floor((e - i) / (2 * n + r)))), s = n * o, c = 8 + t + Yo, l = c + t + Yo, u = l + s + Yo, d = u + s + Yo, f = d + qo + Yo, p = f + Jo + Yo;
	return {
		from: 8,
		to: c,
		key: l,
		product: u,
		dot: d,
		softmax: f,
		value: p,
		names: t,
		cell: o,
		dim: n,
		valueDim: r,
		width: p + r * o + 8
	};
}
function Zo(e, t, n, r, i, a, o) {
	let s = [];
	for (let c = 0; c < r; c++) {
		let r = o(c), l = Math.tanh(Math.abs(r) / (2 * i));
		l > .02 && s.push({
			type: "box",
			x: e + c * n,
			y: t + 3,
			width: n,
			height: 18,
			colour: r > 0 ? a.positive : a.negative,
			alpha: l
		});
	}
	return s;
}
function Qo(e, t, n, r) {
	return {
		type: "box",
		x: e,
		y: t + 3,
		width: n,
		height: 18,
		colour: r.raised,
		alpha: 1
	};
}
function $o(e, t, n, r) {
	return {
		type: "box",
		x: e,
		y: t + 5,
		width: Math.max(+(n > .002), n * 50),
		height: 14,
		colour: r,
		alpha: .85
	};
}
function es(e, t, n, r, i) {
	let a = (e, t, n, r, i, a = !1, o = 14) => ({
		type: "words",
		x: e,
		y: t,
		text: na(n, 16),
		size: o,
		colour: r,
		anchor: i,
		bold: a
	}), o = ts(e).map(({ x: e, text: t }) => a(e, 12, t, i.quiet, "start", !1, 12));
	return o.push(a(e.key - 8, 40, "query", i.quiet, "end", !1, 12)), t.forEach((t, n) => o.push(a(e.from + e.names - 8, $ + (n + .5) * 24, t, i.ink, "end", n === r))), n.forEach((t, n) => {
		let r = $ + (n + .5) * 24;
		o.push(a(e.to + 8, r, t.text, t.masked ? i.quiet : i.ink, "start")), t.masked || (o.push(a(e.dot + qo - 8, r, t.dot.toFixed(2), i.ink, "end", !1, 12)), o.push(a(e.softmax + Jo, r, La(t.weight), i.ink, "end", !1, 12)));
	}), o;
}
function ts(e) {
	return [
		{
			x: e.from,
			text: "From"
		},
		{
			x: e.to + 8,
			text: "To"
		},
		{
			x: e.key,
			text: "Key k"
		},
		{
			x: e.product,
			text: "q × k"
		},
		{
			x: e.dot,
			text: "q·k scaled"
		},
		{
			x: e.softmax,
			text: "Softmax"
		},
		{
			x: e.value,
			text: "Value v"
		}
	];
}
// src/views/NeuronView.svelte
var ns = /* @__PURE__ */ G("<button type=\"button\" role=\"radio\" class=\"name from svelte-72alqy\"><bdi> </bdi></button>"), rs = /* @__PURE__ */ G("<span role=\"cell\" class=\"number dot svelte-72alqy\"> </span> <span role=\"cell\" class=\"number softmax svelte-72alqy\"> </span>", 1), is = /* @__PURE__ */ G("<div role=\"row\"><span role=\"rowheader\" class=\"name to svelte-72alqy\"><bdi> </bdi></span> <!></div>"), as = /* @__PURE__ */ G("<span class=\"title svelte-72alqy\"> </span>"), os = /* @__PURE__ */ G("<div class=\"area svelte-72alqy\" role=\"presentation\"><div role=\"radiogroup\" aria-label=\"Token that attends\"></div> <div role=\"table\"></div> <div class=\"header svelte-72alqy\"><canvas aria-hidden=\"true\"></canvas> <!> <span class=\"side svelte-72alqy\">query of <bdi> </bdi></span> <span class=\"side svelte-72alqy\">output</span></div></div>"), ss = /* @__PURE__ */ G(" <bdi> </bdi> → <bdi> </bdi> <!>", 1), cs = /* @__PURE__ */ G("<span class=\"hint svelte-72alqy\"><i class=\"plus svelte-72alqy\"></i> above zero <i class=\"minus svelte-72alqy\"></i> </span>"), ls = /* @__PURE__ */ G("<!> <div class=\"readout svelte-72alqy\" role=\"status\"><!></div>", 1), us = /* @__PURE__ */ G("<p class=\"none svelte-72alqy\"> </p>"), ds = /* @__PURE__ */ G("<!> <!>", 1);
function fs(e, t) {
	Xe(t, !0);
	let n = Je("store"), r = /* @__PURE__ */ N(900), i = /* @__PURE__ */ N(null), a = /* @__PURE__ */ N(null), o = /* @__PURE__ */ N(void 0), s = /* @__PURE__ */ j(() => n.heads[0]), c = /* @__PURE__ */ j(() => n.layer.heads.indexOf(U(s))), l = /* @__PURE__ */ j(() => n.layer.vectors ? new Go(n.buffer, n.layer, U(c)) : null), u = /* @__PURE__ */ j(() => Hi(n.querySide, "pieces", "all")), f = /* @__PURE__ */ j(() => Hi(n.keySide, "pieces", "all")), p = /* @__PURE__ */ j(() => n.selection.pinned.find(([e]) => e === "query")?.[1] ?? Math.min(1, U(u).length - 1)), m = /* @__PURE__ */ j(() => U(a) ?? U(p)), h = /* @__PURE__ */ j(() => n.map(U(s)).row(U(m))), g = /* @__PURE__ */ j(() => U(f).map(({ text: e }, t) => ({
		text: e,
		dot: U(l)?.dot(U(m), t) ?? 0,
		weight: U(h)[t],
		masked: n.attention.causal && t > U(m)
	}))), _ = /* @__PURE__ */ j(() => Math.min(U(r) < 700 ? 84 : 150, Math.max(60, ...[...U(u), ...U(f)].slice(0, 400).map(({ text: e }) => Ta(e.slice(0, 24)) + 18)))), v = /* @__PURE__ */ j(() => Xo(U(r), U(_), U(l)?.query.dim ?? 1, U(l)?.value.dim ?? 1)), y = /* @__PURE__ */ j(() => $ + Math.max(U(u).length, U(f).length) * 24 + 8), b = /* @__PURE__ */ j(() => U(l) ? U(l).query.typical * U(l).key.typical : 1);
	function x() {
		if (!U(l)) return [];
		let e = U(l).output(U(h));
		return [
			Qo(U(v).key, 30, U(v).dim * U(v).cell, n.colours),
			...Zo(U(v).key, 30, U(v).cell, U(v).dim, U(l).query.typical, n.colours, (e) => U(l).query.at(U(m), e)),
			Qo(U(v).value, 30, U(v).valueDim * U(v).cell, n.colours),
			...Zo(U(v).value, 30, U(v).cell, U(v).valueDim, U(l).value.typical, n.colours, (t) => e[t])
		];
	}
	function S(e, t) {
		if (!U(l)) return [];
		let r = [{
			type: "box",
			x: U(v).from,
			y: $ + U(m) * 24 + 1,
			width: U(v).names,
			height: 22,
			colour: n.colourOf(U(s)),
			alpha: .25
		}];
		for (let i = e; i < t; i++) {
			if (U(g)[i].masked) continue;
			let e = $ + i * 24, t = (e) => U(l).query.at(U(m), e) * U(l).key.at(i, e);
			r.push({
				type: "box",
				x: U(v).to,
				y: e + 1,
				width: U(v).names,
				height: 22,
				colour: n.colourOf(U(s)),
				alpha: U(g)[i].weight * .75
			}, Qo(U(v).key, e, U(v).dim * U(v).cell, n.colours), ...Zo(U(v).key, e, U(v).cell, U(v).dim, U(l).key.typical, n.colours, (e) => U(l).key.at(i, e)), Qo(U(v).product, e, U(v).dim * U(v).cell, n.colours), ...Zo(U(v).product, e, U(v).cell, U(v).dim, U(b), n.colours, t), $o(U(v).softmax, e, U(g)[i].weight, n.colourOf(U(s))), Qo(U(v).value, e, U(v).valueDim * U(v).cell, n.colours), ...Zo(U(v).value, e, U(v).cell, U(v).valueDim, U(l).value.typical, n.colours, (e) => U(l).value.at(i, e)));
		}
		return r;
	}
	function C(e) {
		return [Math.max(0, Math.floor((e.y - $) / 24) - 2), Math.min(U(f).length, Math.ceil((e.y + e.height - $) / 24) + 2)];
	}
	function w(e, t) {
		if (Ji(e, S(...C(t))), U(i) !== null) {
			e.strokeStyle = n.colours.ink, e.lineWidth = 1;
			for (let t of [
				U(v).key,
				U(v).product,
				...U(i) < U(v).valueDim ? [U(v).value] : []
			]) e.strokeRect(t + U(i) * U(v).cell - .5, $, U(v).cell + 1, U(f).length * 24);
		}
	}
	function ee(e) {
		Cn(() => {
			let t = Math.min(window.devicePixelRatio || 1, 3);
			e.width = Math.round(U(v).width * t), e.height = Math.round($ * t);
			let n = e.getContext("2d");
			n.scale(t, t), Ji(n, x());
		});
	}
	function te() {
		let e = Math.min(U(f).length, 400);
		return {
			width: U(v).width,
			height: $ + Math.max(Math.min(U(u).length, 400), e) * 24 + 8,
			marks: [
				...x(),
				...S(0, e),
				...es(U(v), U(u).slice(0, 400).map((e) => e.text), U(g).slice(0, e), U(m), n.colours)
			]
		};
	}
	Cn(() => {
		n.picture = te;
	});
	let ne = /* @__PURE__ */ N(null);
	function re(e, t) {
		let n = e.currentTarget.getBoundingClientRect(), [r, a] = [e.clientX - n.left, e.clientY - n.top], o = [
			U(v).value,
			U(v).product,
			U(v).key
		].find((e, t) => r >= e && r < e + (t === 0 ? U(v).valueDim : U(v).dim) * U(v).cell);
		P(i, o === void 0 ? null : Math.floor((r - o) / U(v).cell), !0);
		let s = Math.floor((a - $) / 24);
		P(ne, a - t.y > $ && s >= 0 && s < U(f).length && !U(g)[s].masked ? s : null, !0);
	}
	function ie(e) {
		n.selection.pinned = [["query", e]];
	}
	function ae(e, t) {
		let n = {
			ArrowUp: -1,
			ArrowDown: 1
		}[e.key];
		if (n === void 0) return;
		e.preventDefault();
		let r = Math.max(0, Math.min(U(u).length - 1, t + n));
		ie(r), U(o)?.querySelector(`[data-index="${r}"]`)?.focus();
	}
	let oe = (e, t = 3) => e.toFixed(t).replace(/^-(0\.?0*)$/, "$1").replace("-", "−");
	var se = ds(), ce = I(se);
	Ja(ce, { single: !0 });
	var le = R(ce, 2), ue = (e) => {
		var t = ls(), c = I(t);
		{
			let e = (e, t = d) => {
				var c = os(), l = F(c);
				Y(l, 21, () => U(u), Wr, (e, n, r) => {
					var i = Nr(), o = I(i), s = (e) => {
						var t = ns();
						Z(t, "data-index", r);
						let i;
						var o = L(F(t), !0);
						O(t), z(() => {
							Z(t, "aria-checked", U(p) === r), Z(t, "tabindex", U(p) === r ? 0 : -1), i = X(t, "", i, {
								left: `${U(v).from ?? ""}px`,
								top: `${$ + r * 24}px`,
								width: `${U(v).names ?? ""}px`
							}), q(o, U(n).text);
						}), W("click", t, () => ie(r)), Cr("pointerenter", t, (e) => e.pointerType === "mouse" && P(a, r, !0)), Cr("pointerleave", t, () => P(a, null)), W("keydown", t, (e) => ae(e, r)), K(e, t);
					};
					J(o, (e) => {
						(r + 3) * 24 > t().y - $ && r * 24 < t().y + t().height && e(s);
					}), K(e, i);
				}), O(l), Oi(l, (e) => P(o, e), () => U(o));
				var f = R(l, 2);
				Y(f, 21, () => U(g), Wr, (e, n, r) => {
					var i = Nr(), a = I(i), o = (e) => {
						var t = is();
						Z(t, "data-key", r);
						let i;
						var a = F(t);
						let o;
						var s = L(F(a), !0);
						O(a);
						var c = R(a, 2), l = (e) => {
							var t = rs(), i = I(t);
							let a;
							var o = L(i, !0), s = R(i, 2);
							let c;
							var l = L(s, !0);
							z((e, t) => {
								a = X(i, "", a, {
									left: `${U(v).dot ?? ""}px`,
									top: `${$ + r * 24}px`
								}), q(o, e), c = X(s, "", c, {
									left: `${U(v).softmax ?? ""}px`,
									top: `${$ + r * 24}px`
								}), q(l, t);
							}, [() => oe(U(n).dot, 2), () => La(U(n).weight)]), K(e, t);
						};
						J(c, (e) => {
							U(n).masked || e(l);
						}), O(t), z(() => {
							i = si(t, 1, "svelte-72alqy", null, i, { masked: U(n).masked }), o = X(a, "", o, {
								left: `${U(v).to ?? ""}px`,
								top: `${$ + r * 24}px`,
								width: `${U(v).names ?? ""}px`
							}), q(s, U(n).text);
						}), K(e, t);
					};
					J(a, (e) => {
						(r + 3) * 24 > t().y - $ && r * 24 < t().y + t().height && e(o);
					}), K(e, i);
				}), O(f);
				var h = R(f, 2);
				let _;
				var y = F(h);
				let b;
				ti(y, () => ee);
				var x = R(y, 2);
				Y(x, 17, () => ts(U(v)), ({ x: e, text: t }) => t, (e, t) => {
					let n = () => U(t).x, r = () => U(t).text;
					var i = as();
					let a;
					var o = L(i, !0);
					z(() => {
						a = X(i, "", a, { left: `${n() ?? ""}px` }), q(o, r());
					}), K(e, i);
				});
				var S = R(x, 2);
				let C;
				var w = L(R(F(S)), !0);
				O(S);
				var te = R(S, 2);
				let se;
				O(h), O(c), z((e, r, i, a) => {
					Z(f, "aria-label", `Query against keys, head ${n.layer.layer ?? ""}.${U(s) ?? ""}`), _ = X(h, "", _, {
						top: `${t().y ?? ""}px`,
						width: e,
						height: `${$ ?? ""}px`
					}), b = X(y, "", b, {
						width: `${U(v).width ?? ""}px`,
						height: `${$ ?? ""}px`
					}), C = X(S, "", C, { right: r }), q(w, i), se = X(te, "", se, { right: a });
				}, [
					() => `${Math.max(U(r), U(v).width)}px`,
					() => `${Math.max(U(r), U(v).width) - U(v).key + 8}px`,
					() => U(u)[U(m)].text.slice(0, 12),
					() => `${Math.max(U(r), U(v).width) - U(v).value + 8}px`
				]), W("pointermove", c, (e) => re(e, t())), Cr("pointerleave", c, () => (P(i, null), P(ne, null))), K(e, c);
			}, t = /* @__PURE__ */ j(() => Math.max(U(r), U(v).width));
			za(c, {
				get width() {
					return U(t);
				},
				get height() {
					return U(y);
				},
				draw: w,
				get room() {
					return U(r);
				},
				set room(e) {
					P(r, e, !0);
				},
				children: e,
				$$slots: { default: !0 }
			});
		}
		var h = R(c, 2), _ = F(h), b = (e) => {
			var t = ss(), n = I(t), r = R(n), a = L(r, !0), o = R(r, 2), s = L(o, !0), c = R(o), d = R(c), p = (e) => {
				var t = Mr();
				z((e) => q(t, `; value ${e ?? ""}`), [() => oe(U(l).value.at(U(ne), U(i)))]), K(e, t);
			};
			J(d, (e) => {
				U(i) < U(v).valueDim && e(p);
			}), z((e, t, r, o, l) => {
				q(n, `Dimension ${U(i) ?? ""}, `), q(a, e), q(s, t), q(c, `: query ${r ?? ""}
      × key ${o ?? ""} = ${l ?? ""}`);
			}, [
				() => U(u)[U(m)].text.slice(0, 24),
				() => U(f)[U(ne)].text.slice(0, 24),
				() => oe(U(l).query.at(U(m), U(i))),
				() => oe(U(l).key.at(U(ne), U(i))),
				() => oe(U(l).query.at(U(m), U(i)) * U(l).key.at(U(ne), U(i)))
			]), K(e, t);
		}, x = (e) => {
			var t = cs(), n = R(F(t), 3);
			O(t), z((e) => q(n, ` below zero. q·k is scaled by ${e ?? ""}; the output is the sum of the values, each times its softmax. Point at a
        cell for its numbers.`), [() => U(l).scaling.toPrecision(3)]), K(e, t);
		};
		J(_, (e) => {
			U(i) !== null && U(ne) !== null && U(i) < U(v).dim ? e(b) : e(x, -1);
		}), O(h), K(e, t);
	}, de = (e) => {
		var t = us(), r = L(t);
		z((e) => q(r, `There are no query, key and value vectors of layer ${n.layer.layer ?? ""} in this view. Layers that have them:
    ${e ?? ""}.`), [() => n.attention.layers.filter((e) => e.vectors).map((e) => e.layer).join(", ") || "none; open the view from a model and a text"]), K(e, t);
	};
	J(le, (e) => {
		U(l) ? e(ue) : e(de, -1);
	}), K(e, se), Ze();
}
wr([
	"pointermove",
	"click",
	"keydown"
]);
// src/App.svelte
var ps = /* @__PURE__ */ G("<p class=\"note svelte-1n46o8q\" role=\"note\"> </p>"), ms = /* @__PURE__ */ G("<div role=\"region\"><!> <!> <!></div>");
function hs(e, t) {
	Xe(t, !0);
	let n = ji(t, "store", 7);
	Ye("store", n()), Cn(() => Fi(() => n().dark = Pi(n().scene.theme)));
	let r = {
		head: to,
		model: Wo,
		neuron: fs,
		matrix: To
	}, i = /* @__PURE__ */ j(() => r[n().selection.kind]);
	function a(e) {
		e.target instanceof HTMLSelectElement || e.target instanceof HTMLInputElement || (e.key === "Escape" ? (n().unpin(), n().hover = null) : e.key === "[" ? n().stepLayer(-1) : e.key === "]" && n().stepLayer(1));
	}
	function o(e) {
		Cn(() => {
			for (let [t, r] of Object.entries(n().colours)) e.style.setProperty(`--${t}`, r);
			e.style.setProperty("--font", Ni), e.style.setProperty("color-scheme", n().dark ? "dark" : "light");
		});
	}
	var s = ms();
	let c;
	var l = F(s);
	xa(l, {});
	var u = R(l, 2);
	ei(u, () => U(i), (e, t) => {
		t(e, {});
	}), Y(R(u, 2), 16, () => n().scene.notes, (e) => e, (e, t) => {
		var n = ps(), r = L(n, !0);
		z(() => q(r, t)), K(e, n);
	}), O(s), ti(s, () => o), z(() => {
		c = si(s, 1, "attlas svelte-1n46o8q", null, c, { fill: t.fill }), Z(s, "data-theme", n().dark ? "dark" : "light"), Z(s, "aria-label", `Attention of ${n().scene.title ?? ""}`);
	}), W("keydown", s, a), K(e, s), Ze();
}
wr(["keydown"]);
// src/core/contract.ts
var gs = "attlas.view/1", _s = {
	u8: 1,
	u16: 2,
	u32: 4,
	i16: 2
};
function vs(e, t) {
	if (e.schema !== "attlas.view/1") throw Error(`This view reads ${gs}, and the data is ${String(e.schema)}: make it again with the same Attlas.`);
	if (t !== e.bytes) throw Error(`The data of this view is cut off: ${t} bytes of ${e.bytes}. Save the page again.`);
	for (let t of e.attentions) {
		let n = e.sides[t.queries]?.tokens.length, r = e.sides[t.keys]?.tokens.length;
		for (let i of t.layers) {
			let { shape: a } = i.weights;
			if (a[0] !== i.heads.length || a[1] !== n || !i.columns && a[2] !== r) throw Error(`Layer ${i.layer} of ${t.attention} attention does not fit its tokens.`);
			for (let n of ys(i)) if (n.at + bs(n) > e.bytes) throw Error(`Layer ${i.layer} of ${t.attention} attention lies outside the data.`);
		}
	}
}
function ys(e) {
	let t = e.vectors ? [
		e.vectors.query,
		e.vectors.key,
		e.vectors.value
	].map((e) => e.values) : [];
	return [
		e.weights,
		e.columns,
		e.tops,
		e.rest,
		...t
	].filter((e) => e !== void 0);
}
function bs(e) {
	return e.shape.reduce((e, t) => e * t, _s[e.type]);
}
// src/core/traits.svelte.ts
var xs = (e, t) => JSON.stringify(e) === JSON.stringify(t);
function Ss(e, t) {
	let n = Object.keys(e.selection), r = n.map((n) => {
		let r = () => {
			let r = t.get(n);
			xs(r, Ue(e.selection[n])) || Object.assign(e.selection, { [n]: r });
		};
		return t.on(`change:${n}`, r), () => t.off(`change:${n}`, r);
	}), i = Tn(() => {
		Cn(() => {
			let r = !1;
			for (let i of n) {
				let n = Ue(e.selection[i]);
				xs(n, t.get(i)) || (t.set(i, n), r = !0);
			}
			r && t.save_changes();
		});
	});
	return () => {
		i(), r.forEach((e) => e());
	};
}
// src/main.ts
async function Cs(e, t, n, r = !1) {
	try {
		let i = await Li(n);
		vs(t, i.byteLength);
		let a = new qi(t, i, Pi(t.theme)), o = Rr(hs, {
			target: e,
			props: {
				store: a,
				fill: r
			}
		});
		return Ft(), {
			store: a,
			destroy: () => void Hr(o)
		};
	} catch (t) {
		let n = document.createElement("p");
		throw n.setAttribute("role", "alert"), n.textContent = t instanceof Error ? t.message : String(t), e.replaceChildren(n), t;
	}
}
function ws(e) {
	return new Uint8Array(e.buffer, e.byteOffset, e.byteLength);
}
async function Ts({ model: e, el: t }) {
	let n = structuredClone(e.get("scene"));
	for (let t of Object.keys(n.selection)) Object.assign(n.selection, { [t]: e.get(t) });
	let { store: r, destroy: i } = await Cs(t, n, ws(e.get("data"))), a = Ss(r, e);
	return () => {
		a(), i();
	};
}
var Es = { render: Ts }, Ds = document.querySelector("script[data-attlas=\"scene\"]");
if (Ds?.textContent) {
	let e = document.querySelector("script[data-attlas=\"data\"]").textContent;
	Cs(document.getElementById("attlas"), JSON.parse(Ds.textContent), Ii(e), !0).then(() => performance.mark("attlas-drawn"));
}
export { Es as default, Cs as mount };
