//#region node_modules/svelte/src/internal/shared/utils.js
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
//#endregion
//#region node_modules/svelte/src/internal/client/constants.js
var g = 1 << 24, _ = 1024, v = 2048, y = 4096, b = 8192, x = 16384, S = 32768, C = 1 << 25, w = 65536, ee = 1 << 19, te = 1 << 20, ne = 1 << 25, re = 1 << 21, ie = 1 << 22, T = 1 << 23, E = Symbol("$state"), ae = Symbol("component"), oe = Symbol("legacy props"), se = Symbol(""), ce = Symbol("attributes"), le = Symbol("class"), ue = Symbol("style"), de = Symbol("text"), fe = Symbol("form reset"), pe = new class extends Error {
	name = "StaleReactionError";
	message = "The reaction that called `getAbortSignal()` was re-run or destroyed";
}(), me = !!globalThis.document?.contentType && /* @__PURE__ */ globalThis.document.contentType.includes("xml"), he = {}, D = Symbol("uninitialized"), ge = "http://www.w3.org/1999/xhtml";
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
//#endregion
//#region node_modules/svelte/src/internal/client/dom/hydration.js
var O = !1;
function xe(e) {
	O = e;
}
var k;
function Se(e) {
	if (e === null) throw ve(), he;
	return k = e;
}
function Ce() {
	return Se(/* @__PURE__ */ on(k));
}
function A(e) {
	if (O) {
		if (/* @__PURE__ */ on(k) !== null) throw ve(), he;
		k = e;
	}
}
function we(e = 1) {
	if (O) {
		for (var t = e, n = k; t--;) n = /* @__PURE__ */ on(n);
		k = n;
	}
}
function Te(e = !0) {
	for (var t = 0, n = k;;) {
		if (n.nodeType === 8) {
			var r = n.data;
			if (r === "]") {
				if (t === 0) return n;
				--t;
			} else (r === "[" || r === "[!" || r[0] === "[" && !isNaN(Number(r.slice(1)))) && (t += 1);
		}
		var i = /* @__PURE__ */ on(n);
		e && n.remove(), n = i;
	}
}
function Ee(e) {
	if (!e || e.nodeType !== 8) throw ve(), he;
	return e.data;
}
//#endregion
//#region node_modules/svelte/src/internal/client/reactivity/equality.js
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
//#endregion
//#region node_modules/svelte/src/internal/client/errors.js
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
//#endregion
//#region node_modules/svelte/src/internal/flags/index.js
var He = !1;
function Ue() {
	He = !0;
}
//#endregion
//#region node_modules/svelte/src/internal/shared/context.js
function We(e) {
	let t = e.p;
	for (; t !== null && t.c === null;) t = t.p;
	return t?.c ?? null;
}
function Ge(e, t) {
	return e === null && Ae(t), e.c ??= new Map(We(e) || void 0);
}
//#endregion
//#region node_modules/svelte/src/internal/client/context.js
var j = null;
function Ke(e) {
	j = e;
}
function M(e) {
	return Ge(j, "getContext").get(e);
}
function qe(e, t) {
	return Ge(j, "setContext").set(e, t), t;
}
function N(e, t = !1, n) {
	j = {
		p: j,
		i: !1,
		c: null,
		e: null,
		s: e,
		x: null,
		r: G,
		l: He && !t ? {
			s: null,
			u: null,
			$: []
		} : null
	};
}
function P(e) {
	var t = j, n = t.e;
	if (n !== null) {
		t.e = null;
		for (var r of n) yn(r);
	}
	return e !== void 0 && (t.x = e), t.i = !0, j = t.p, Je(e);
}
function Je(e = {}) {
	return i(e, ae, { value: !0 }), e;
}
function Ye() {
	return !He || j !== null && j.l === null;
}
//#endregion
//#region node_modules/svelte/src/internal/client/dom/task.js
var Xe = [];
function Ze() {
	var e = Xe;
	Xe = [], p(e);
}
function Qe(e) {
	if (Xe.length === 0 && !wt) {
		var t = Xe;
		queueMicrotask(() => {
			t === Xe && Ze();
		});
	}
	Xe.push(e);
}
function $e() {
	for (; Xe.length > 0;) Ze();
}
//#endregion
//#region node_modules/svelte/src/internal/client/reactivity/status.js
var et = ~(v | y | _);
function tt(e, t) {
	e.f = e.f & et | t;
}
function nt(e) {
	e.f & 512 || e.deps === null ? tt(e, _) : tt(e, y);
}
//#endregion
//#region node_modules/svelte/src/internal/client/reactivity/utils.js
function rt(e, t) {
	e.f & 2048 ? t.set(e, v) : e.f & 4096 && t.get(e) !== 2048 && t.set(e, y), tt(e, _);
}
//#endregion
//#region node_modules/svelte/src/internal/client/dom/elements/misc.js
var it = !1;
function at() {
	it || (it = !0, document.addEventListener("reset", (e) => {
		Promise.resolve().then(() => {
			if (!e.defaultPrevented) for (let t of e.target.elements) t[fe]?.();
		});
	}, { capture: !0 }));
}
//#endregion
//#region node_modules/svelte/src/internal/client/dom/elements/bindings/shared.js
function ot(e) {
	var t = W, n = G;
	Un(null), Wn(null);
	try {
		return e();
	} finally {
		Un(t), Wn(n);
	}
}
//#endregion
//#region node_modules/svelte/src/internal/client/reactivity/async.js
function st(e, t, n, r) {
	let i = Ye() ? dt : mt;
	var a = e.filter((e) => !e.settled), o = t.map(i);
	if (n.length === 0 && a.length === 0) {
		r(o);
		return;
	}
	var s = G, c = ct(), l = a.length === 1 ? a[0].promise : a.length > 1 ? Promise.all(a.map((e) => e.promise)) : null;
	function u(e) {
		if (!(s.f & 16384)) {
			c();
			try {
				r([...o, ...e]);
			} catch (e) {
				fn(e, s);
			}
			lt();
		}
	}
	var d = ut();
	if (n.length === 0) {
		l.then(() => u([])).finally(d);
		return;
	}
	function f() {
		Promise.all(n.map((e) => /* @__PURE__ */ pt(e))).then(u).catch((e) => fn(e, s)).finally(d);
	}
	l ? l.then(() => {
		s.f & 16384 ? d() : (c(), f(), lt());
	}) : f();
}
function ct() {
	var e = G, t = W, n = j, r = I;
	return function(i = !0) {
		Wn(e), Un(t), Ke(n), i && !(e.f & 16384) && (r?.activate(), r?.apply());
	};
}
function lt(e = !0) {
	Wn(null), Un(null), Ke(null), e && I?.deactivate();
}
function ut() {
	var e = G, t = e.b, n = I, r = !!t?.is_rendered();
	return t?.update_pending_count(1, n), n.increment(r, e), () => {
		t?.update_pending_count(-1, n), n.decrement(r, e);
	};
}
/*#__NO_SIDE_EFFECTS__*/
function dt(e) {
	var t = 2 | v;
	return G !== null && (G.f |= ee), {
		ctx: j,
		deps: null,
		effects: null,
		equals: De,
		f: t,
		fn: e,
		reactions: null,
		rv: 0,
		v: D,
		wv: 0,
		parent: G,
		ac: null
	};
}
var ft = Symbol("obsolete");
/*#__NO_SIDE_EFFECTS__*/
function pt(e, t, n) {
	let r = G;
	r === null && je();
	var i = void 0, a = Vt(D), o = !W, s = /* @__PURE__ */ new Set();
	return Cn(() => {
		var t = G, n = m();
		i = n.promise;
		try {
			Promise.resolve(e()).then(n.resolve, (e) => {
				e !== pe && n.reject(e);
			}).finally(lt);
		} catch (e) {
			n.reject(e), lt();
		}
		var c = I;
		if (o) {
			if (t.f & 32768) var l = ut();
			if (r.b?.is_rendered()) c.async_deriveds.get(t)?.reject(ft);
			else for (let e of s.values()) e.reject(ft);
			s.add(n), c.async_deriveds.set(t, n);
		}
		let u = (e, t = void 0) => {
			l?.(), s.delete(n), t !== ft && (c.activate(), t ? (a.f |= T, Gt(a, t)) : (a.f & 8388608 && (a.f ^= T), Gt(a, e)), c.deactivate());
		};
		n.promise.then(u, (e) => u(null, e || "unknown"));
	}), _n(() => {
		for (let e of s) e.reject(ft);
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
function F(e) {
	let t = /* @__PURE__ */ dt(e);
	return Kn(t), t;
}
/*#__NO_SIDE_EFFECTS__*/
function mt(e) {
	let t = /* @__PURE__ */ dt(e);
	return t.equals = ke, t;
}
function ht(e) {
	var t = e.effects;
	if (t !== null) {
		e.effects = null;
		for (var n = 0; n < t.length; n += 1) jn(t[n]);
	}
}
function gt(e) {
	var t, n = G, r = e.parent;
	if (!Bn && r !== null && e.v !== D && r.f & 24576) return _e(), e.v;
	Wn(r);
	try {
		ht(e), t = ir(e);
	} finally {
		Wn(n);
	}
	return t;
}
function _t(e) {
	var t = gt(e);
	!e.equals(t) && (e.wv = tr(), (!I?.is_fork || e.deps === null) && (I === null ? e.v = t : (I.capture(e, t, !0), xt?.capture(e, t, !0)), e.deps === null)) ? tt(e, _) : Bn || (St === null ? nt(e) : (gn() || I?.is_fork) && St.set(e, t));
}
function vt(e) {
	if (e.effects !== null) for (let t of e.effects) (t.teardown || t.ac) && (t.teardown?.(), t.ac !== null && ot(() => {
		t.ac.abort(pe), t.ac = null;
	}), t.fn !== null && (t.teardown = d), sr(t, 0), kn(t));
}
function yt(e) {
	if (e.effects !== null) for (let t of e.effects) t.teardown && t.fn !== null && cr(t);
}
//#endregion
//#region node_modules/svelte/src/internal/client/reactivity/batch.js
var bt = null, I = null, xt = null, St = null, Ct = null, wt = !1, Tt = !1, Et = null, Dt = null, Ot = 0, kt = 1, At = class e {
	id = kt++;
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
		bt === null ? bt = this : (bt.next = this, this.prev = bt), bt = this;
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
			for (var r of n.d) tt(r, v), t(r);
			for (r of n.m) tt(r, y), t(r);
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
		for (let [e, t] of this.#s) tt(e, t), this.schedule(e);
		this.apply();
		for (var t = Et = [], n = [], r = Dt = []; this.#a.length > 0;) {
			Ot++ > 1e3 && (this.#b(), Mt());
			for (let e of this.#p()) try {
				this.#h(e, t, n);
			} catch (t) {
				throw Lt(e), this.#d() || this.discard(), t;
			}
		}
		if (I = null, r.length > 0) {
			var i = e.ensure();
			for (let e of r) i.schedule(e);
		}
		if (Et = null, Dt = null, this.#d()) {
			this.#y(n), this.#y(t);
			for (let [e, t] of this.#c) It(e, t);
			r.length > 0 && I.#m();
			return;
		}
		let a = this.#g();
		if (a) this.#y(n), this.#y(t), a.#v(this);
		else {
			this.#s.clear();
			for (let e of this.#e) e(this);
			this.#e.clear(), xt = this, Pt(n), Pt(t), xt = null, this.#i?.resolve();
			var o = I;
			this.#n === 0 && (this.#a.length === 0 || o !== null) && this.#b(), o !== null && (zt.clear(), o.#m());
		}
	}
	#h(e, t, n) {
		e.f ^= _;
		for (var r = e.first; r !== null;) {
			var i = r.f, a = !!(i & 96);
			if (!(a && i & 1024 || i & 8192 || this.#c.has(r)) && r.fn !== null) {
				a ? r.f ^= _ : i & 4 ? t.push(r) : nr(r) && (i & 16 && this.add_dirty_reaction(r, y), cr(r));
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
					r & 4194320 && !this.async_deriveds.has(i) && (this.#s.delete(i), tt(i, v), this.schedule(i));
				}
			}
		};
		for (let e of this.current.keys()) t(e);
		this.oncommit(() => e.discard()), e.#b(), I = this, this.#m();
	}
	#y(e) {
		for (var t = 0; t < e.length; t += 1) rt(e[t], this.#s);
	}
	capture(e, t, n = !1) {
		e.v !== D && !this.previous.has(e) && this.previous.set(e, e.v), e.f & 8388608 || (this.current.set(e, [t, n]), St?.set(e, t)), this.is_fork || (e.v = t);
	}
	activate() {
		I = this;
	}
	deactivate() {
		I = null, St = null;
	}
	flush() {
		try {
			Tt = !0, I = this, this.#m();
		} finally {
			Ot = 0, Ct = null, Et = null, Dt = null, Tt = !1, I = null, St = null, zt.clear();
		}
	}
	discard() {
		for (let e of this.#t) e(this);
		this.#t.clear();
		for (let e of this.async_deriveds.values()) e.reject(ft);
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
		this.#u || (this.#u = !0, Qe(() => {
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
		if (I === null) {
			let t = I = new e();
			!Tt && !wt && Qe(() => {
				t.started || t.flush();
			});
		}
		return I;
	}
	apply() {
		St = null;
	}
	schedule(e) {
		Ct = e, e.b?.is_pending && e.f & 16777228 && !(e.f & 32768) ? e.b.defer_effect(e) : this.#a.push(e);
	}
	#b() {
		if (this.linked) {
			var e = this.prev, t = this.next;
			e === null || (e.next = t), t === null ? bt = e : t.prev = e, this.linked = !1;
		}
	}
};
function jt(e) {
	var t = wt, n = xt;
	xt = null, wt = !0;
	try {
		var r;
		for (e && (jt(), r = e());;) {
			if ($e(), I === null) return r;
			I.flush();
		}
	} finally {
		wt = t, xt = n;
	}
}
function Mt() {
	try {
		Ie();
	} catch (e) {
		fn(e, Ct);
	}
}
var Nt = null;
function Pt(e) {
	var t = e.length;
	if (t !== 0) {
		for (var n = 0; n < t;) {
			var r = e[n++];
			if (!(r.f & 24576) && nr(r) && (Nt = /* @__PURE__ */ new Set(), cr(r), r.deps === null && r.first === null && r.nodes === null && r.teardown === null && r.ac === null && Nn(r), Nt?.size > 0)) {
				zt.clear();
				for (let e of Nt) {
					if (e.f & 24576) continue;
					let t = [e], n = e.parent;
					for (; n !== null;) Nt.has(n) && (Nt.delete(n), t.push(n)), n = n.parent;
					for (let e = t.length - 1; e >= 0; e--) {
						let n = t[e];
						n.f & 24576 || cr(n);
					}
				}
				Nt.clear();
			}
		}
		Nt = null;
	}
}
function Ft(e) {
	I.schedule(e);
}
function It(e, t) {
	if (!(e.f & 32 && e.f & 1024)) {
		e.f & 2048 ? t.d.push(e) : e.f & 4096 && t.m.push(e), tt(e, _);
		for (var n = e.first; n !== null;) It(n, t), n = n.next;
	}
}
function Lt(e) {
	tt(e, _);
	for (var t = e.first; t !== null;) Lt(t), t = t.next;
}
//#endregion
//#region node_modules/svelte/src/internal/client/reactivity/sources.js
var Rt = /* @__PURE__ */ new Set(), zt = /* @__PURE__ */ new Map(), Bt = !1;
function Vt(e, t) {
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
function L(e, t) {
	let n = Vt(e, t);
	return Kn(n), n;
}
/*#__NO_SIDE_EFFECTS__*/
function Ht(e, t = !1, n = !0) {
	let r = Vt(e);
	return t || (r.equals = ke), He && n && j !== null && j.l !== null && (j.l.s ??= []).push(r), r;
}
function R(e, t, n = !1) {
	return W !== null && (!Hn || W.f & 131072) && Ye() && W.f & 4325394 && (Gn === null || !Gn.has(e)) && Be(), Gt(e, n ? Yt(t) : t, Dt);
}
var Ut = null, Wt = 0;
function Gt(e, t, n = null) {
	if (!e.equals(t)) {
		Bn ? zt.set(e, t) : zt.has(e) || zt.set(e, e.v);
		var r = At.ensure();
		if (r.capture(e, t), e.f & 2) {
			let t = e;
			e.f & 2048 && gt(t), St === null && nt(t);
		}
		e.wv = tr(), Ut = null, Wt = 0, Jt(e, v, n), Ut = null, Ye() && G !== null && G.f & 1024 && !(G.f & 96) && (Yn === null ? Xn([e]) : Yn.push(e)), !r.is_fork && Rt.size > 0 && !Bt && Kt();
	}
	return t;
}
function Kt() {
	Bt = !1;
	for (let e of Rt) {
		e.f & 1024 && tt(e, y);
		let t;
		try {
			t = nr(e);
		} catch {
			t = !0;
		}
		t && cr(e);
	}
	Rt.clear();
}
function qt(e) {
	R(e, e.v + 1);
}
function Jt(e, t, n) {
	var r = e.reactions;
	if (r !== null) {
		var i = Ye(), a = r.length;
		if (Wt += a, Wt > 1e5 && Ut === null && (Ut = /* @__PURE__ */ new Set()), Ut !== null) {
			if (Ut.has(e)) return;
			Ut.add(e);
		}
		for (var o = 0; o < a; o++) {
			var s = r[o], c = s.f;
			if (i || s !== G) {
				var l = (c & v) === 0;
				if (l && tt(s, t), c & 131072) Rt.add(s);
				else if (c & 2) {
					var u = s;
					St?.delete(u), Jt(u, y, n);
				} else if (l) {
					var d = s;
					c & 16 && Nt !== null && Nt.add(d), n === null ? Ft(d) : n.push(d);
				}
			}
		}
	}
}
function Yt(t) {
	if (typeof t != "object" || !t || E in t || ae in t) return t;
	let n = l(t);
	if (n !== s && n !== c) return t;
	var r = /* @__PURE__ */ new Map(), i = e(t), o = /* @__PURE__ */ L(0), u = null, d = $n, f = (e) => {
		if ($n === d) return e();
		var t = W, n = $n;
		Un(null), er(d);
		var r = e();
		return Un(t), er(n), r;
	};
	return i && r.set("length", /* @__PURE__ */ L(t.length, u)), new Proxy(t, {
		defineProperty(e, t, n) {
			(!("value" in n) || n.configurable === !1 || n.enumerable === !1 || n.writable === !1) && Re();
			var i = r.get(t);
			return i === void 0 ? f(() => {
				var e = /* @__PURE__ */ L(n.value, u);
				return r.set(t, e), e;
			}) : R(i, n.value, !0), !0;
		},
		deleteProperty(e, t) {
			var n = r.get(t);
			if (n === void 0) {
				if (t in e) {
					let e = f(() => /* @__PURE__ */ L(D, u));
					r.set(t, e), qt(o);
				}
			} else R(n, D), qt(o);
			return !0;
		},
		get(e, n, i) {
			if (n === E) return t;
			var o = r.get(n), s = n in e;
			if (o === void 0 && (!s || a(e, n)?.writable) && (o = f(() => /* @__PURE__ */ L(Yt(s ? e[n] : D), u)), r.set(n, o)), o !== void 0) {
				var c = K(o);
				return c === D ? void 0 : c;
			}
			return Reflect.get(e, n, i);
		},
		getOwnPropertyDescriptor(e, t) {
			this.has?.(e, t);
			var n = Reflect.getOwnPropertyDescriptor(e, t), i = r.get(t);
			if (i !== void 0) {
				var a = K(i);
				if (a === D) return;
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
			if (t === E) return !0;
			var n = r.get(t), i = n !== void 0 && n.v !== D || Reflect.has(e, t);
			return (n !== void 0 || (G !== null || W !== null) && (!i || a(e, t)?.writable)) && (n === void 0 && (n = f(() => /* @__PURE__ */ L(i ? Yt(e[t]) : D, u)), r.set(t, n)), K(n) === D) ? !1 : i;
		},
		set(e, t, n, s) {
			var c = r.get(t), l = t in e;
			if (i && t === "length") for (var d = n; d < c.v; d += 1) {
				var p = r.get(d + "");
				p === void 0 ? d in e && (p = f(() => /* @__PURE__ */ L(D, u)), r.set(d + "", p)) : R(p, D);
			}
			if (c === void 0) (!l || a(e, t)?.writable) && (c = f(() => /* @__PURE__ */ L(void 0, u)), R(c, Yt(n)), r.set(t, c));
			else {
				l = c.v !== D;
				var m = f(() => Yt(n));
				R(c, m);
			}
			var h = Reflect.getOwnPropertyDescriptor(e, t);
			if (h?.set && h.set.call(s, n), !l) {
				if (i && typeof t == "string") {
					var g = r.get("length"), _ = Number(t);
					Number.isInteger(_) && _ >= g.v && R(g, _ + 1);
				}
				qt(o);
			}
			return !0;
		},
		ownKeys(e) {
			K(o);
			var t = Reflect.ownKeys(e).filter((e) => {
				var t = r.get(e);
				return t === void 0 || t.v !== D;
			});
			for (var [n, i] of r) i.v !== D && !(n in e) && t.push(n);
			return t;
		},
		setPrototypeOf() {
			ze();
		}
	});
}
function Xt(e) {
	try {
		if (typeof e == "object" && e && E in e) return e[E];
	} catch {}
	return e;
}
function Zt(e, t) {
	return Object.is(Xt(e), Xt(t));
}
var Qt, $t, en, tn;
function nn() {
	if (Qt === void 0) {
		Qt = window, $t = /Firefox/.test(navigator.userAgent);
		var e = Element.prototype, t = Node.prototype, n = Text.prototype;
		en = a(t, "firstChild").get, tn = a(t, "nextSibling").get, u(e) && (e[le] = void 0, e[ce] = null, e[ue] = void 0, e.__e = void 0), u(n) && (n[de] = void 0);
	}
}
function rn(e = "") {
	return document.createTextNode(e);
}
/*@__NO_SIDE_EFFECTS__*/
function an(e) {
	return en.call(e);
}
/*@__NO_SIDE_EFFECTS__*/
function on(e) {
	return tn.call(e);
}
function z(e, t) {
	if (!O) return /* @__PURE__ */ an(e);
	var n = /* @__PURE__ */ an(k);
	if (n === null) n = k.appendChild(rn());
	else if (t && n.nodeType !== 3) {
		var r = rn();
		return n?.before(r), Se(r), r;
	}
	return t && un(n), Se(n), n;
}
function B(e, t = !1) {
	if (!O) {
		var n = /* @__PURE__ */ an(e);
		return n instanceof Comment && n.data === "" ? /* @__PURE__ */ on(n) : n;
	}
	if (t) {
		if (k?.nodeType !== 3) {
			var r = rn();
			return k?.before(r), Se(r), r;
		}
		un(k);
	}
	return k;
}
function V(e, t = !1) {
	if (!O) return /* @__PURE__ */ an(e);
	var n = z(e, t);
	return A(e), n;
}
function H(e, t = 1, n = !1) {
	let r = O ? k : e;
	for (var i; t--;) i = r, r = /* @__PURE__ */ on(r);
	if (!O) return r;
	if (n) {
		if (r?.nodeType !== 3) {
			var a = rn();
			return r === null ? i?.after(a) : r.before(a), Se(a), a;
		}
		un(r);
	}
	return Se(r), r;
}
function sn(e) {
	e.textContent = "";
}
function cn() {
	return !1;
}
function ln(e, t, n) {
	return t == null || t === "http://www.w3.org/1999/xhtml" ? n ? document.createElement(e, { is: n }) : document.createElement(e) : n ? document.createElementNS(t, e, { is: n }) : document.createElementNS(t, e);
}
function un(e) {
	if (e.nodeValue.length < 65536) return;
	let t = e.nextSibling;
	for (; t !== null && t.nodeType === 3;) t.remove(), e.nodeValue += t.nodeValue, t = e.nextSibling;
}
function dn(e) {
	var t = G;
	if (t === null) return W.f |= T, e;
	if (!(t.f & 32768) && !(t.f & 4)) throw e;
	fn(e, t);
}
function fn(e, t) {
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
//#endregion
//#region node_modules/svelte/src/internal/client/reactivity/effects.js
function pn(e) {
	G === null && (W === null && Fe(e), Pe()), Bn && Ne(e);
}
function mn(e, t) {
	var n = t.last;
	n === null ? t.last = t.first = e : (n.next = e, e.prev = n, t.last = e);
}
function hn(e, t) {
	var n = G;
	n !== null && n.f & 8192 && (e |= b);
	var r = {
		ctx: j,
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
	I?.register_created_effect(r);
	var i = r;
	if (e & 4) Et === null ? At.ensure().schedule(r) : Et.push(r);
	else if (t !== null) {
		try {
			cr(r);
		} catch (e) {
			throw jn(r), e;
		}
		i.deps === null && i.teardown === null && i.nodes === null && i.first === i.last && !(i.f & 524288) && (i = i.first, e & 16 && e & 65536 && i !== null && (i.f |= w));
	}
	if (i !== null && (i.parent = n, n !== null && mn(i, n), W !== null && W.f & 2 && !(e & 64))) {
		var a = W;
		(a.effects ??= []).push(i);
	}
	return r;
}
function gn() {
	return W !== null && !Hn;
}
function _n(e) {
	let t = hn(8, null);
	return tt(t, _), t.teardown = e, t;
}
function vn(e) {
	pn("$effect");
	var t = G.f;
	if (!W && t & 32 && j !== null && !j.i) {
		var n = j;
		(n.e ??= []).push(e);
	} else return yn(e);
}
function yn(e) {
	return hn(4 | te, e);
}
function bn(e) {
	return pn("$effect.pre"), hn(8 | te, e);
}
function xn(e) {
	At.ensure();
	let t = hn(64 | ee, e);
	return (e = {}) => new Promise((n) => {
		e.outro ? Pn(t, () => {
			jn(t), n(void 0);
		}) : (jn(t), n(void 0));
	});
}
function Sn(e) {
	return hn(4, e);
}
function Cn(e) {
	return hn(ie | ee, e);
}
function wn(e, t = 0) {
	return hn(8 | t, e);
}
function U(e, t = [], n = [], r = []) {
	st(r, t, n, (t) => {
		hn(8, () => {
			e(...t.map(K));
		});
	});
}
function Tn(e, t = 0) {
	return hn(16 | t, e);
}
function En(e, t = 0) {
	return hn(g | t, e);
}
function Dn(e) {
	return hn(32 | ee, e);
}
function On(e) {
	var t = e.teardown;
	if (t !== null) {
		let n = Bn, r = W;
		Vn(!0), Un(null);
		try {
			t.call(null);
		} catch (t) {
			fn(t, e.parent);
		} finally {
			Vn(n), Un(r);
		}
	}
}
function kn(e, t = !1) {
	var n = e.first;
	for (e.first = e.last = null; n !== null;) {
		let e = n.ac;
		e !== null && ot(() => {
			e.abort(pe);
		});
		var r = n.next;
		n.f & 64 ? n.parent = null : jn(n, t), n = r;
	}
}
function An(e) {
	for (var t = e.first; t !== null;) {
		var n = t.next;
		t.f & 32 || jn(t), t = n;
	}
}
function jn(e, t = !0) {
	var n = !1;
	(t || e.f & 262144) && e.nodes !== null && e.nodes.end !== null && (Mn(e.nodes.start, e.nodes.end), n = !0), e.f |= C, kn(e, t && !n), sr(e, 0);
	var r = e.nodes && e.nodes.t;
	if (r !== null) for (let e of r) e.stop();
	On(e), e.f ^= C, e.f |= x;
	var i = e.parent;
	i !== null && i.first !== null && Nn(e), e.next = e.prev = e.teardown = e.ctx = e.deps = e.fn = e.nodes = e.ac = e.b = null;
}
function Mn(e, t) {
	for (; e !== null;) {
		var n = e === t ? null : /* @__PURE__ */ on(e);
		e.remove(), e = n;
	}
}
function Nn(e) {
	var t = e.parent, n = e.prev, r = e.next;
	n !== null && (n.next = r), r !== null && (r.prev = n), t !== null && (t.first === e && (t.first = r), t.last === e && (t.last = n));
}
function Pn(e, t, n = !0) {
	var r = [];
	e.f |= 256, Fn(e, r, !0);
	var i = () => {
		n && jn(e), t && t();
	}, a = r.length;
	if (a > 0) {
		var o = () => --a || i();
		for (var s of r) s.out(o);
	} else i();
}
function Fn(e, t, n) {
	if (!(e.f & 8192)) {
		e.f ^= b;
		var r = e.nodes && e.nodes.t;
		if (r !== null) for (let e of r) (e.is_global || n) && t.push(e);
		for (var i = e.first; i !== null;) {
			var a = i.next;
			if (!(i.f & 64)) {
				var o = !!(i.f & 65536) || !!(i.f & 32) && !!(e.f & 16);
				Fn(i, t, o ? n : !1);
			}
			i = a;
		}
	}
}
function In(e) {
	e.f &= -257, Ln(e, !0);
}
function Ln(e, t) {
	if (!(e.f & 256) && e.f & 8192) {
		e.f ^= b, e.f & 1024 || (tt(e, v), At.ensure().schedule(e));
		for (var n = e.first; n !== null;) {
			var r = n.next, i = !!(n.f & 65536) || !!(n.f & 32);
			Ln(n, i ? t : !1), n = r;
		}
		var a = e.nodes && e.nodes.t;
		if (a !== null) for (let e of a) (e.is_global || t) && e.in();
	}
}
function Rn(e, t) {
	if (e.nodes) for (var n = e.nodes.start, r = e.nodes.end; n !== null;) {
		var i = n === r ? null : /* @__PURE__ */ on(n);
		t.append(n), n = i;
	}
}
//#endregion
//#region node_modules/svelte/src/internal/client/legacy.js
var zn = null, Bn = !1;
function Vn(e) {
	Bn = e;
}
var W = null, Hn = !1;
function Un(e) {
	W = e;
}
var G = null;
function Wn(e) {
	G = e;
}
var Gn = null;
function Kn(e) {
	W !== null && (W.f & 2097152 || W.f & 2) && (Gn ??= /* @__PURE__ */ new Set()).add(e);
}
var qn = null, Jn = 0, Yn = null;
function Xn(e) {
	Yn = e;
}
var Zn = 1, Qn = 0, $n = Qn;
function er(e) {
	$n = e;
}
function tr() {
	return ++Zn;
}
function nr(e) {
	var t = e.f;
	if (t & 2048) return !0;
	if (t & 4096) {
		for (var n = e.deps, r = n.length, i = 0; i < r; i++) {
			var a = n[i];
			if (nr(a) && _t(a), a.wv > e.wv) return !0;
		}
		t & 512 && St === null && tt(e, _);
	}
	return !1;
}
function rr(e, t, n = !0) {
	var r = e.reactions;
	if (r !== null && !(Gn !== null && Gn.has(e))) for (var i = 0; i < r.length; i++) {
		var a = r[i];
		a.f & 2 ? rr(a, t, !1) : t === a && (n ? tt(a, v) : a.f & 1024 && tt(a, y), Ft(a));
	}
}
function ir(e) {
	var t = qn, n = Jn, r = Yn, i = W, a = Gn, o = j, s = Hn, c = $n, l = e.f;
	qn = null, Jn = 0, Yn = null, W = l & 96 ? null : e, Gn = null, Ke(e.ctx), Hn = !1, $n = ++Qn, e.ac !== null && (ot(() => {
		e.ac.abort(pe);
	}), e.ac = null);
	try {
		e.f |= re;
		var u = e.fn, d = u();
		e.f |= S;
		var f = ar(e);
		if (Ye() && Yn !== null && !Hn && f !== null && !(e.f & 6146)) for (var p = 0; p < Yn.length; p++) rr(Yn[p], e);
		if (i !== null && i !== e) {
			if (Qn++, i.deps !== null) for (let e = 0; e < n; e += 1) i.deps[e].rv = Qn;
			if (t !== null) for (let e of t) e.rv = Qn;
			Yn !== null && (r === null ? r = Yn : r.push(...Yn));
		}
		return e.f & 8388608 && (e.f ^= T), d;
	} catch (t) {
		return ar(e), dn(t);
	} finally {
		e.f ^= re, qn = t, Jn = n, Yn = r, W = i, Gn = a, Ke(o), Hn = s, $n = c;
	}
}
function ar(e) {
	var t = e.deps, n = I?.is_fork;
	if (qn !== null) {
		var r;
		if (n || sr(e, Jn), t !== null && Jn > 0) for (t.length = Jn + qn.length, r = 0; r < qn.length; r++) t[Jn + r] = qn[r];
		else e.deps = t = qn;
		if (gn() && e.f & 512) for (r = Jn; r < t.length; r++) (t[r].reactions ??= []).push(e);
	} else !n && t !== null && Jn < t.length && (sr(e, Jn), t.length = Jn);
	return t;
}
function or(e, r) {
	let i = r.reactions;
	if (i !== null) {
		var a = t.call(i, e);
		if (a !== -1) {
			var o = i.length - 1;
			o === 0 ? i = r.reactions = null : (i[a] = i[o], i.pop());
		}
	}
	if (i === null && r.f & 2 && (qn === null || !n.call(qn, r))) {
		var s = r;
		s.f & 512 && (s.f ^= 512), s.v !== D && nt(s), s.ac !== null && ot(() => {
			s.ac.abort(pe), s.ac = null, tt(s, v);
		}), vt(s), sr(s, 0);
	}
}
function sr(e, t) {
	var n = e.deps;
	if (n !== null) for (var r = t; r < n.length; r++) or(e, n[r]);
}
function cr(e) {
	var t = e.f;
	if (!(t & 16384)) {
		tt(e, _);
		var n = G;
		G = e;
		try {
			t & 16777232 ? An(e) : kn(e), On(e);
			var r = ir(e);
			e.teardown = typeof r == "function" ? r : null, e.wv = Zn;
		} finally {
			G = n;
		}
	}
}
async function lr() {
	await Promise.resolve(), jt();
}
function K(e) {
	var t = !!(e.f & 2);
	if (zn?.add(e), W !== null && !Hn && !(G !== null && G.f & 16384) && (Gn === null || !Gn.has(e))) {
		var r = W.deps;
		if (W.f & 2097152) e.rv < Qn && (e.rv = Qn, qn === null && r !== null && r[Jn] === e ? Jn++ : qn === null ? qn = [e] : qn.push(e));
		else {
			W.deps ??= [], n.call(W.deps, e) || W.deps.push(e);
			var i = e.reactions;
			i === null ? e.reactions = [W] : n.call(i, W) || i.push(W);
		}
	}
	if (Bn && zt.has(e)) return zt.get(e);
	if (t) {
		var a = e;
		if (Bn) {
			var o = a.v;
			return (!(a.f & 1024) && a.reactions !== null || dr(a)) && (o = gt(a)), zt.set(a, o), o;
		}
		var s = !(a.f & 512) && !Hn && W !== null && !!(W.f & 512), c = (a.f & S) === 0;
		nr(a) && (s && (a.f |= 512), _t(a)), s && !c && (yt(a), ur(a));
	}
	if (St?.has(e)) return St.get(e);
	if (e.f & 8388608) throw e.v;
	return e.v;
}
function ur(e) {
	if (e.f |= 512, e.deps !== null) for (let r of e.deps) {
		var t = r.reactions;
		t === null ? r.reactions = [e] : n.call(t, e) || t.push(e), r.f & 2 && !(r.f & 512) && (yt(r), ur(r));
	}
}
function dr(e) {
	if (e.v === D) return !0;
	if (e.deps === null) return !1;
	for (let t of e.deps) if (zt.has(t) || t.f & 2 && dr(t)) return !0;
	return !1;
}
function fr(e) {
	var t = Hn;
	try {
		return Hn = !0, e();
	} finally {
		Hn = t;
	}
}
function pr(e) {
	if (!(typeof e != "object" || !e || e instanceof EventTarget)) {
		if (E in e) mr(e);
		else if (!Array.isArray(e)) for (let t in e) {
			let n = e[t];
			typeof n == "object" && n && E in n && mr(n);
		}
	}
}
function mr(e, t = /* @__PURE__ */ new Set()) {
	if (typeof e == "object" && e && !(e instanceof EventTarget) && !t.has(e)) {
		t.add(e), e instanceof Date && e.getTime();
		for (let n in e) try {
			mr(e[n], t);
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
var hr = ["touchstart", "touchmove"];
function gr(e) {
	return hr.includes(e);
}
//#endregion
//#region node_modules/svelte/src/internal/client/dom/elements/events.js
var _r = Symbol("events"), vr = /* @__PURE__ */ new Set(), yr = /* @__PURE__ */ new Set();
function br(e, t, n, r = {}) {
	function i(e) {
		if (r.capture || Tr.call(t, e), !e.cancelBubble) return ot(() => n?.call(this, e));
	}
	return e.startsWith("pointer") || e.startsWith("touch") || e === "wheel" ? (i.__removed = !1, Qe(() => {
		i.__removed || t.addEventListener(e, i, r);
	})) : t.addEventListener(e, i, r), i;
}
function xr(e, t, n, r, i) {
	var a = {
		capture: r,
		passive: i
	}, o = br(e, t, n, a);
	(t === document.body || t === window || t === document || t instanceof HTMLMediaElement) && _n(() => {
		o.__removed = !0, t.removeEventListener(e, o, a);
	});
}
function q(e, t, n) {
	(t[_r] ??= {})[e] = n;
}
function Sr(e) {
	for (var t = 0; t < e.length; t++) vr.add(e[t]);
	for (var n of yr) n(e);
}
var Cr = null, wr = !1;
function Tr(e) {
	var t = this, n = t.ownerDocument, r = e.type, a = e.composedPath?.() || [], o = a[0] || e.target;
	Cr = e, wr || (wr = !0, setTimeout(() => {
		wr = !1, Cr = null;
	}));
	var s = 0, c = Cr === e && e[_r];
	if (c) {
		var l = a.indexOf(c);
		if (l !== -1 && (t === document || t === window)) {
			e[_r] = t;
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
		var d = W, f = G;
		Un(null), Wn(null);
		try {
			for (var p, m = []; o !== null && o !== t;) {
				try {
					var h = o[_r]?.[r];
					h != null && (!o.disabled || e.target === o) && h.call(o, e);
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
			e[_r] = t, delete e.currentTarget, Un(d), Wn(f);
		}
	}
}
//#endregion
//#region node_modules/svelte/src/internal/client/dom/reconciler.js
var Er = globalThis?.window?.trustedTypes && /* @__PURE__ */ globalThis.window.trustedTypes.createPolicy("svelte-trusted-html", { createHTML: (e) => e });
function Dr(e) {
	return Er?.createHTML(e) ?? e;
}
function Or(e) {
	var t = ln("template");
	return t.innerHTML = Dr(e.replaceAll("<!>", "<!---->")), t.content;
}
//#endregion
//#region node_modules/svelte/src/internal/client/dom/template.js
function kr(e, t) {
	var n = G;
	n.nodes === null && (n.nodes = {
		start: e,
		end: t,
		a: null,
		t: null
	});
}
/*#__NO_SIDE_EFFECTS__*/
function J(e, t) {
	var n = !!(t & 1), r = !!(t & 2), i, a = !e.startsWith("<!>");
	return () => {
		if (O) return kr(k, null), k;
		i === void 0 && (i = Or(a ? e : "<!>" + e), n || (i = /* @__PURE__ */ an(i)));
		var t = r || $t ? document.importNode(i, !0) : i.cloneNode(!0);
		if (n) {
			var o = /* @__PURE__ */ an(t), s = t.lastChild;
			kr(o, s);
		} else kr(t, t);
		return t;
	};
}
/*#__NO_SIDE_EFFECTS__*/
function Ar(e, t, n = "svg") {
	var r = !e.startsWith("<!>"), i = !!(t & 1), a = `<${n}>${r ? e : "<!>" + e}</${n}>`, o;
	return () => {
		if (O) return kr(k, null), k;
		if (!o) {
			var e = /* @__PURE__ */ an(Or(a));
			if (i) for (o = document.createDocumentFragment(); /* @__PURE__ */ an(e);) o.appendChild(/* @__PURE__ */ an(e));
			else o = /* @__PURE__ */ an(e);
		}
		var t = o.cloneNode(!0);
		if (i) {
			var n = /* @__PURE__ */ an(t), r = t.lastChild;
			kr(n, r);
		} else kr(t, t);
		return t;
	};
}
/*#__NO_SIDE_EFFECTS__*/
function jr(e, t) {
	return /* @__PURE__ */ Ar(e, t, "svg");
}
function Mr(e = "") {
	if (!O) {
		var t = rn(e + "");
		return kr(t, t), t;
	}
	var n = k;
	return n.nodeType === 3 ? un(n) : (n.before(n = rn()), Se(n)), kr(n, n), n;
}
function Nr() {
	if (O) return kr(k, null), k;
	var e = document.createDocumentFragment(), t = document.createComment(""), n = rn();
	return e.append(t, n), kr(t, n), e;
}
function Y(e, t) {
	if (O) {
		var n = G;
		(!(n.f & 32768) || n.nodes.end === null) && (n.nodes.end = k), Ce();
	} else e !== null && e.before(t);
}
//#endregion
//#region node_modules/svelte/src/reactivity/create-subscriber.js
function Pr(e) {
	let t = 0, n = Vt(0), r;
	return () => {
		gn() && (K(n), wn(() => (t === 0 && (r = fr(() => e(() => qt(n)))), t += 1, () => {
			Qe(() => {
				--t, t === 0 && (r?.(), r = void 0, qt(n));
			});
		})));
	};
}
//#endregion
//#region node_modules/svelte/src/internal/client/dom/blocks/boundary.js
var Fr = w | ee;
function Ir(e, t, n, r) {
	new Lr(e, t, n, r);
}
var Lr = class {
	parent;
	is_pending = !1;
	transform_error;
	#e;
	#t = O ? k : null;
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
	#m = Pr(() => (this.#p = Vt(this.#l), () => {
		this.#p = null;
	}));
	constructor(e, t, n, r) {
		this.#e = e, this.#n = t, this.#r = (e) => {
			var t = G;
			t.b = this, t.f |= 128, n(e);
		}, this.parent = G.b, this.transform_error = r ?? this.parent?.transform_error ?? ((e) => e), this.#i = Tn(() => {
			if (O) {
				let e = Ee(this.#t);
				Ce();
				let t = e === "[!";
				if (e.startsWith("[?")) {
					let t = JSON.parse(e.slice(2));
					this.#g(t);
				} else t ? this.#y() : this.#h();
			} else this.#b();
		}, Fr), O && (this.#e = k);
	}
	#h() {
		try {
			this.#a = Dn(() => this.#r(this.#e));
		} catch (e) {
			this.error(e);
		}
	}
	#g(e) {
		let t = this.#n.failed, { reset: n, invoke_onerror: r } = this.#_(e);
		Qe(r), t && (this.#s = Dn(() => {
			t(this.#e, () => e, () => n);
		}));
	}
	#_(e) {
		var t = !1, n = !1;
		let r = () => {
			this.#v() || (t ? be() : (t = !0, n && Ve(), this.#s !== null && Pn(this.#s, () => {
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
					fn(e, this.#i && this.#i.parent);
				}
			}
		};
	}
	#v() {
		return (this.#i.f & (x | C)) !== 0;
	}
	#y() {
		let e = this.#n.pending;
		e && (this.is_pending = !0, this.#o = Dn(() => e(this.#e)), Qe(() => {
			if (!this.#v()) {
				var e = this.#c = document.createDocumentFragment(), t = rn(), n = !1;
				e.append(t), this.#a = this.#S(() => {
					try {
						return Dn(() => this.#r(t));
					} catch (e) {
						try {
							this.error(e), n = !0;
						} catch (e) {
							fn(e, this.#i.parent);
						}
						return null;
					}
				}), this.#a === null ? (this.#c = null, n && this.#x(I)) : this.#u === 0 && (this.#e.before(e), this.#c = null, Pn(this.#o, () => {
					this.#o = null;
				}), this.#x(I));
			}
		}));
	}
	#b() {
		try {
			if (this.is_pending = this.has_pending_snippet(), this.#u = 0, this.#l = 0, this.#a = Dn(() => {
				this.#r(this.#e);
			}), this.#u > 0) {
				var e = this.#c = document.createDocumentFragment();
				Rn(this.#a, e);
				let t = this.#n.pending;
				this.#o = Dn(() => t(this.#e));
			} else this.#x(I);
		} catch (e) {
			this.error(e);
		}
	}
	#x(e) {
		this.is_pending = !1, e.transfer_reactions(this.#f);
	}
	defer_effect(e) {
		rt(e, this.#f);
	}
	is_rendered() {
		return !this.is_pending && (!this.parent || this.parent.is_rendered());
	}
	has_pending_snippet() {
		return !!this.#n.pending;
	}
	#S(e) {
		var t = G, n = W, r = j;
		Wn(this.#i), Un(this.#i), Ke(this.#i.ctx);
		try {
			return At.ensure(), e();
		} finally {
			Wn(t), Un(n), Ke(r);
		}
	}
	#C(e, t) {
		this.has_pending_snippet() ? (this.#u += e, this.#u === 0 && (this.#x(t), this.#o && Pn(this.#o, () => {
			this.#o = null;
		}), this.#c &&= (this.#e.before(this.#c), null))) : this.parent && this.parent.#C(e, t);
	}
	update_pending_count(e, t) {
		this.#C(e, t), this.#l += e, !(!this.#p || this.#d) && (this.#d = !0, Qe(() => {
			this.#d = !1, this.#p && Gt(this.#p, this.#l);
		}));
	}
	get_effect_pending() {
		return this.#m(), K(this.#p);
	}
	error(e) {
		if (e === he || !this.#n.onerror && !this.#n.failed) throw e;
		I?.is_fork ? (this.#a && I.skip_effect(this.#a), this.#o && I.skip_effect(this.#o), this.#s && I.skip_effect(this.#s), I.oncommit(() => {
			this.#v() || this.#w(e);
		})) : this.#w(e);
	}
	#w(e) {
		this.#a &&= (jn(this.#a), null), this.#o &&= (jn(this.#o), null), this.#s &&= (jn(this.#s), null), O && (Se(this.#t), we(), Se(Te()));
		let t = this.#n.failed, n = (e) => {
			if (this.#v()) return;
			let { reset: n, invoke_onerror: r } = this.#_(e);
			r(), t && !this.#v() && (this.#s = this.#S(() => {
				try {
					return Dn(() => {
						var r = G;
						r.b = this, r.f |= 128, t(this.#e, () => e, () => n);
					});
				} catch (e) {
					return fn(e, this.#i.parent), null;
				}
			}));
		};
		Qe(() => {
			if (!this.#v()) {
				var t;
				try {
					t = this.transform_error(e);
				} catch (e) {
					fn(e, this.#i && this.#i.parent);
					return;
				}
				typeof t == "object" && t && typeof t.then == "function" ? t.then(n, (e) => fn(e, this.#i && this.#i.parent)) : n(t);
			}
		});
	}
};
function X(e, t) {
	var n = t == null ? "" : typeof t == "object" ? `${t}` : t;
	n !== (e[de] ??= e.nodeValue) && (e[de] = n, e.nodeValue = `${n}`);
}
function Rr(e, t) {
	return Br(e, t);
}
var zr = /* @__PURE__ */ new Map();
function Br(e, { target: t, anchor: n, props: i = {}, events: a, context: o, intro: s = !0, transformError: c }) {
	nn();
	var l = void 0, u = xn(() => {
		var s = n ?? t.appendChild(rn());
		Ir(s, { pending: () => {} }, (t) => {
			N({});
			var n = j;
			if (o && (n.c = o), a && (i.$$events = a), O && kr(t, null), l = e(t, i) || Je(), O && (G.nodes.end = k, k === null || k.nodeType !== 8 || k.data !== "]")) throw ve(), he;
			P();
		}, c);
		var u = /* @__PURE__ */ new Set(), d = (e) => {
			for (var n = 0; n < e.length; n++) {
				var r = e[n];
				if (!u.has(r)) {
					u.add(r);
					var i = gr(r);
					for (let e of [t, document]) {
						var a = zr.get(e);
						a === void 0 && (a = /* @__PURE__ */ new Map(), zr.set(e, a));
						var o = a.get(r);
						o === void 0 ? (e.addEventListener(r, Tr, { passive: i }), a.set(r, 1)) : a.set(r, o + 1);
					}
				}
			}
		};
		return d(r(vr)), yr.add(d), () => {
			for (var e of u) for (let n of [t, document]) {
				var r = zr.get(n), i = r.get(e);
				--i == 0 ? (n.removeEventListener(e, Tr), r.delete(e), r.size === 0 && zr.delete(n)) : r.set(e, i);
			}
			yr.delete(d), s !== n && s.parentNode?.removeChild(s);
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
			if (n) In(n), this.#r.delete(t);
			else {
				var r = this.#n.get(t);
				r && (In(r.effect), this.#t.set(t, r.effect), this.#n.delete(t), r.fragment.lastChild.remove(), this.anchor.before(r.fragment), n = r.effect);
			}
			for (let [t, n] of this.#e) {
				if (this.#e.delete(t), t === e) break;
				let r = this.#n.get(n);
				r && (jn(r.effect), this.#n.delete(n));
			}
			for (let [e, r] of this.#t) {
				if (e === t || this.#r.has(e)) continue;
				let i = () => {
					if (Array.from(this.#e.values()).includes(e)) {
						var t = document.createDocumentFragment();
						Rn(r, t), t.append(rn()), this.#n.set(e, {
							effect: r,
							fragment: t
						});
					} else jn(r);
					this.#r.delete(e), this.#t.delete(e);
				};
				this.#i || !n ? (this.#r.add(e), Pn(r, i, !1)) : i();
			}
		}
	};
	#o = (e) => {
		this.#e.delete(e);
		let t = Array.from(this.#e.values());
		for (let [e, n] of this.#n) t.includes(e) || (jn(n.effect), this.#n.delete(e));
	};
	ensure(e, t) {
		var n = I, r = cn();
		if (t && !this.#t.has(e) && !this.#n.has(e)) {
			if (r) {
				var i = document.createDocumentFragment(), a = rn();
				i.append(a), this.#n.set(e, {
					effect: Dn(() => t(a)),
					fragment: i
				});
			} else this.#t.set(e, Dn(() => t(this.anchor)));
		}
		if (this.#e.set(n, e), r) {
			for (let [t, r] of this.#t) t === e ? n.unskip_effect(r) : n.skip_effect(r);
			for (let [t, r] of this.#n) t === e ? n.unskip_effect(r.effect) : n.skip_effect(r.effect);
			n.oncommit(this.#a), n.ondiscard(this.#o);
		} else O && (this.anchor = k), this.#a(n);
	}
};
//#endregion
//#region node_modules/svelte/src/internal/client/dom/blocks/if.js
function Z(e, t, n = !1) {
	var r;
	O && (r = k, Ce());
	var i = new Hr(e), a = n ? w : 0;
	function o(e, t) {
		if (O) {
			var n = Ee(r);
			if (e !== parseInt(n.substring(1))) {
				var a = Te();
				Se(a), i.anchor = a, xe(!1), i.ensure(e, t), xe(!0);
				return;
			}
		}
		i.ensure(e, t);
	}
	Tn(() => {
		var e = !1;
		t((t, n = 0) => {
			e = !0, o(n, t);
		}), e || o(-1, null);
	}, a);
}
//#endregion
//#region node_modules/svelte/src/internal/client/dom/blocks/key.js
var Ur = Symbol("NaN");
function Wr(e, t, n) {
	O && Ce();
	var r = new Hr(e), i = !Ye();
	Tn(() => {
		var e = t();
		e !== e && (e = Ur), i && typeof e == "object" && e && (e = {}), r.ensure(e, n);
	});
}
//#endregion
//#region node_modules/svelte/src/internal/client/dom/blocks/each.js
function Gr(e, t) {
	return t;
}
function Kr(e, t, n) {
	for (var i = [], a = t.length, o, s = t.length, c = 0; c < a; c++) {
		let n = t[c];
		Pn(n, () => {
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
			sn(d), d.append(u), e.items.clear();
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
		r?.has(a) ? (a.f |= ne, Rn(a, document.createDocumentFragment())) : jn(t[i], n);
	}
}
var Jr;
function Q(t, n, i, a, o, s = null) {
	var c = t, l = /* @__PURE__ */ new Map();
	if (n & 4) {
		var u = t;
		c = O ? Se(/* @__PURE__ */ an(u)) : u.appendChild(rn());
	}
	O && Ce();
	var d = null, f = /* @__PURE__ */ mt(() => {
		var t = i();
		return e(t) ? t : t == null ? [] : r(t);
	}), p = /* @__PURE__ */ new Map(), m = !0;
	function h(e) {
		if (!(_.effect.f & 16384)) {
			_.pending.delete(e);
			var t = K(f);
			_.fallback = d, Xr(_, t, c, n, a), d !== null && (t.length === 0 ? d.f & 33554432 ? (d.f ^= ne, Qr(d, null, c)) : In(d) : Pn(d, () => {
				d = null;
			}));
		}
	}
	function g(e) {
		_.pending.delete(e);
	}
	var _ = {
		effect: Tn(() => {
			var e = K(f), t = e.length;
			let r = !1;
			O && Ee(c) === "[!" != (t === 0) && (c = Te(), Se(c), xe(!1), r = !0);
			for (var u = /* @__PURE__ */ new Set(), _ = I, v = cn(), y = 0; y < t; y += 1) {
				O && k.nodeType === 8 && k.data === "]" && (c = k, r = !0, xe(!1));
				var b = e[y], x = a(b, y), S = m ? null : l.get(x);
				S ? (S.v && Gt(S.v, b), S.i && Gt(S.i, y), v && _.unskip_effect(S.e)) : (S = Zr(l, m ? c : Jr ??= rn(), b, x, y, o, n, i), m || (S.e.f |= ne), l.set(x, S)), u.add(x);
			}
			if (t === 0 && s && !d && (m ? d = Dn(() => s(c)) : (d = Dn(() => s(Jr ??= rn())), d.f |= ne)), t > u.size && Me("", "", ""), O && t > 0 && Se(Te()), !m) {
				if (p.set(_, u), v) {
					for (let [e, t] of l) u.has(e) || _.skip_effect(t.e);
					_.oncommit(h), _.ondiscard(g);
				} else h(_);
			}
			r && xe(!0), K(f);
		}),
		flags: n,
		items: l,
		pending: p,
		outrogroups: null,
		fallback: d
	};
	m = !1, O && (c = k);
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
		if (_.f & 8192 && (In(_), o && (_.nodes?.a?.unfix(), (f ??= /* @__PURE__ */ new Set()).delete(_))), _.f & 33554432) {
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
	o && Qe(() => {
		if (f !== void 0) for (_ of f) _.nodes?.a?.apply();
	});
}
function Zr(e, t, n, r, i, a, o, s) {
	var c = o & 1 ? o & 16 ? Vt(n) : /* @__PURE__ */ Ht(n, !1, !1) : null, l = o & 2 ? Vt(i) : null;
	return {
		v: c,
		i: l,
		e: Dn(() => (a(t, c ?? n, l ?? i, s), () => {
			e.delete(r);
		}))
	};
}
function Qr(e, t, n) {
	if (e.nodes) for (var r = e.nodes.start, i = e.nodes.end, a = t && !(t.f & 33554432) ? t.nodes.start : n; r !== null;) {
		var o = /* @__PURE__ */ on(r);
		if (a.before(r), r === i) return;
		r = o;
	}
}
function $r(e, t, n) {
	t === null ? e.effect.first = n : t.next = n, n === null ? e.effect.last = t : n.prev = t;
}
//#endregion
//#region node_modules/svelte/src/internal/client/dom/elements/attachments.js
function ei(e, t) {
	var n = void 0, r;
	En(() => {
		n !== (n = t()) && (r &&= (jn(r), null), n && (r = Dn(() => {
			Sn(() => n(e));
		})));
	});
}
//#endregion
//#region node_modules/clsx/dist/clsx.mjs
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
//#endregion
//#region node_modules/svelte/src/internal/shared/attributes.js
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
//#endregion
//#region node_modules/svelte/src/internal/client/dom/elements/class.js
function li(e, t, n, r, i, a) {
	var o = e[le];
	if (O || o !== n || o === void 0) {
		var s = ai(n, r, a);
		(!O || s !== e.getAttribute("class")) && (s == null ? e.removeAttribute("class") : t ? e.className = s : e.setAttribute("class", s)), e[le] = n;
	} else if (a && i !== a) for (var c in a) {
		var l = !!a[c];
		(i == null || l !== !!i[c]) && e.classList.toggle(c, l);
	}
	return a;
}
//#endregion
//#region node_modules/svelte/src/internal/client/dom/elements/style.js
function ui(e, t = {}, n, r) {
	for (var i in n) {
		var a = n[i];
		t[i] !== a && (n[i] == null ? e.style.removeProperty(i) : e.style.setProperty(i, a, r));
	}
}
function di(e, t, n, r) {
	var i = e[ue];
	if (O || i !== t) {
		var a = ci(t, r);
		(!O || a !== e.getAttribute("style")) && (a == null ? e.removeAttribute("style") : e.style.cssText = a), e[ue] = t;
	} else r && (Array.isArray(r) ? (ui(e, n?.[0], r[0]), ui(e, n?.[1], r[1], "important")) : ui(e, n, r));
	return r;
}
//#endregion
//#region node_modules/svelte/src/internal/client/dom/elements/bindings/select.js
function fi(e, t) {
	t ? e.hasAttribute("selected") || e.setAttribute("selected", "") : e.removeAttribute("selected");
}
function pi(t, n) {
	var r = t.__defaultValue, i = t.multiple, a = i ? r ?? [] : null;
	if (!i || e(a)) {
		var o = t.selectedIndex, s = n && i ? new Set(t.selectedOptions) : null;
		for (var c of t.options) {
			var l = gi(c);
			fi(c, i ? a.includes(l) : Zt(l, r));
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
		if (!e(n)) return ye();
		for (var i of t.options) i.selected = n.includes(gi(i));
	} else {
		for (i of t.options) if (Zt(gi(i), n)) {
			i.selected = !0;
			return;
		}
		(!r || n !== void 0) && (t.selectedIndex = -1);
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
	}), _n(() => {
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
//#endregion
//#region node_modules/svelte/src/internal/client/dom/elements/attributes.js
var vi = Symbol("is custom element"), yi = Symbol("is html"), bi = me ? "link" : "LINK", xi = me ? "progress" : "PROGRESS";
function Si(e) {
	if (O) {
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
		e[fe] = n, Qe(n), at();
	}
}
function Ci(e, t) {
	var n = wi(e);
	n.value !== (n.value = t ?? void 0) && (e.value !== t || t === 0 && e.nodeName === xi) && (e.value = t ?? "");
}
function $(e, t, n, r) {
	var i = wi(e);
	if (!(O && (i[t] = e.getAttribute(t), t === "src" || t === "srcset" || t === "href" && e.nodeName === bi))) {
		var a = i[t];
		a !== (i[t] = n) && (t === "loading" && (e[se] = n), n == null ? e.removeAttribute(t) : typeof n != "string" && Ei(e).has(t) ? e[t] = n : (!O || typeof n != "number" && typeof n != "boolean" || a !== String(n)) && e.setAttribute(t, n));
	}
}
function wi(e) {
	return e[ce] ??= {
		[vi]: e.nodeName.includes("-"),
		[yi]: e.namespaceURI === ge
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
	Sn(() => (fr(() => n(e[t])), r));
}
//#endregion
//#region node_modules/svelte/src/internal/client/dom/elements/bindings/this.js
function ki(e, t) {
	return e === t || e?.[E] === t;
}
function Ai(e = Je(), t, n, r) {
	var i = j.r, a = G;
	return Sn(() => {
		var o, s;
		return wn(() => {
			o = s, s = r?.() || [], fr(() => {
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
//#endregion
//#region node_modules/svelte/src/internal/client/dom/legacy/lifecycle.js
function ji(e = !1) {
	let t = j, n = t.l.u;
	if (!n) return;
	let r = () => pr(t.s);
	if (e) {
		let e = 0, n = {}, i = /* @__PURE__ */ dt(() => {
			let r = !1, i = t.s;
			for (let e in i) i[e] !== n[e] && (n[e] = i[e], r = !0);
			return r && e++, e;
		});
		r = () => K(i);
	}
	n.b.length && bn(() => {
		Mi(t, r), p(n.b);
	}), vn(() => {
		let e = fr(() => n.m.map(f));
		return () => {
			for (let t of e) typeof t == "function" && t();
		};
	}), n.a.length && vn(() => {
		Mi(t, r), p(n.a);
	});
}
function Mi(e, t) {
	if (e.l.s) for (let t of e.l.s) K(t);
	t();
}
//#endregion
//#region node_modules/svelte/src/internal/client/reactivity/store.js
var Ni = !1;
function Pi(e) {
	var t = Ni;
	try {
		return Ni = !1, [e(), Ni];
	} finally {
		Ni = t;
	}
}
//#endregion
//#region node_modules/svelte/src/internal/client/reactivity/props.js
function Fi(e, t, n, r) {
	var i = !He || !!(n & 2), o = !!(n & 8), s = !!(n & 16), c = r, l = !0, u = void 0, d = () => s && i ? (u ??= /* @__PURE__ */ dt(r), K(u)) : (l && (l = !1, c = s ? fr(r) : r), c);
	let f;
	if (o) {
		var p = E in e || oe in e;
		f = a(e, t)?.set ?? (p && t in e ? (n) => e[t] = n : void 0);
	}
	var m, h = !1;
	o ? [m, h] = Pi(() => e[t]) : m = e[t], m === void 0 && r !== void 0 && (m = d(), f && (i && Le(t), f(m)));
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
	var v = !1, y = (n & 1 ? dt : mt)(() => (v = !1, g()));
	o && K(y);
	var b = G;
	return (function(e, t) {
		if (arguments.length > 0) {
			let n = t ? K(y) : i && o ? Yt(e) : e;
			return R(y, n), v = !0, c !== void 0 && (c = n), e;
		}
		return Bn && v || b.f & 16384 ? y.v : K(y);
	});
}
//#endregion
//#region src/core/payload.ts
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
//#endregion
//#region src/draw/theme.ts
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
//#endregion
//#region src/report/matching.ts
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
function fa(e, t) {
	return `n = ${e.toLocaleString("en-US")}${t > 0 ? ` in ${da(t, "document")}` : ""}`;
}
function pa(e) {
	return `${e}${e % 100 >= 11 && e % 100 <= 13 ? "th" : [
		"th",
		"st",
		"nd",
		"rd"
	][e % 10] ?? "th"}`;
}
function ma(e) {
	return e < 26 ? String.fromCharCode(97 + e) : ma(Math.floor(e / 26) - 1) + ma(e % 26);
}
function ha(e) {
	let [t, n] = e.split(" ");
	return t === "chapter" ? ma(Number(n)) : String(Number(n) + 1);
}
function ga(e, t) {
	return e.map((e) => typeof e == "number" ? t[e] : e).join("");
}
//#endregion
//#region src/report/book.ts
var _a = class {
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
		return this.document.cards[e].sentences.map((e) => ga(e, this.document.heads.address)).join(" ");
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
		return `${s === 1 ? "" : `${pa(s)} `}${c} of ${a}`;
	}
	domain(e) {
		let { values: t, low: n, baseline: r } = this.document.statistics[e], i = t.filter((e) => e !== null);
		if (r !== void 0 && i.push(r), i.length === 0) return [0, 1];
		let [a, o] = [Math.min(...i), Math.max(...i)], s = n === 0 ? 0 : Math.min(a, 0);
		return o > s ? [s, o] : [s, s + 1];
	}
	note(e, t = null) {
		let n = [e.definition], r = t === null ? null : va(e.n, t), i = t === null ? null : va(e.documents, t);
		r !== null && n.push(`For this head: ${fa(r, i ?? 0)}; ± is one standard error.`);
		let a = t === null ? null : e.chances?.[t] ?? null;
		return a === null ? e.baseline === void 0 ? e.chance && n.push(`By chance: ${e.chance}.`) : n.push(`Baseline: ${(100 * e.baseline).toFixed(1)} %.`) : n.push(`By chance: ${a.toPrecision(2)}.`), n;
	}
	read(e) {
		return this.document.chapters[e].read.join(", ");
	}
	cardData(e) {
		let { statistics: t, names: n, cards: r, model: i, made: a } = this.document, o = t.flatMap(({ key: t, unit: n, definition: r, values: i, stderr: a, n: o, documents: s }) => i[e] === null ? [] : [{
			key: t,
			value: i[e],
			stderr: a[e],
			n: va(o, e),
			documents: va(s, e),
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
			sentences: r[e].sentences.map((e) => ga(e, this.document.heads.address)),
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
};
function va(e, t) {
	return typeof e == "number" ? e : e[t];
}
//#endregion
//#region src/report/document.ts
var ya = "attlas.report/1";
function ba(e, t) {
	if (e.schema !== "attlas.report/1") throw Error(`This page shows ${ya}; the file holds ${String(e.schema)}.`);
	if (e.bytes !== t) throw Error(`The file was cut: ${t} of ${e.bytes} bytes of maps are here.`);
	let n = e.heads.address.length;
	if (e.cards.length !== n || e.statistics.some(({ values: e }) => e.length !== n)) throw Error(`The file does not fit its ${n} heads.`);
}
//#endregion
//#region node_modules/svelte/src/internal/disclose-version.js
typeof window < "u" && ((window.__svelte ??= {}).v ??= /* @__PURE__ */ new Set()).add("5");
//#endregion
//#region src/draw/marks.ts
function xa(e, t = 28) {
	let n = [...e];
	return n.length > t ? n.slice(0, t - 1).join("") + "…" : e;
}
//#endregion
//#region src/core/download.ts
function Sa(e, t) {
	let n = document.createElement("a");
	n.href = URL.createObjectURL(e), n.download = t, n.click(), setTimeout(() => URL.revokeObjectURL(n.href), 1e4);
}
//#endregion
//#region src/report/exporting.ts
function Ca(e, t) {
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
function wa(e, t) {
	return new Blob([Ca(e, t).text], { type: "image/svg+xml" });
}
var Ta = (e, t) => Ea(Ca(e, t));
async function Ea({ text: e, width: t, height: n }, r = 2) {
	let i = new Image();
	i.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(e)}`, await i.decode();
	let a = document.createElement("canvas");
	return [a.width, a.height] = [Math.ceil(t * r), Math.ceil(n * r)], a.getContext("2d").drawImage(i, 0, 0, a.width, a.height), new Promise((e, t) => a.toBlob((n) => n ? e(n) : t(/* @__PURE__ */ Error("The picture is too large.")), "image/png"));
}
function Da(e, t) {
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
	])].map((e) => e.map(Oa).join(",")).join("\r\n") + "\r\n";
}
function Oa(e) {
	if (typeof e == "number") return String(e);
	let t = /^[=+\-@\t\r]/.test(e) && !/^-?\d/.test(e) ? `'${e}` : e;
	return /[",\r\n]/.test(t) ? `"${t.replaceAll("\"", "\"\"")}"` : t;
}
function ka(e, t) {
	let { cards: n, names: r, statistics: i, chapters: a, heads: o, model: s, made: c } = e.document, l = n[t], u = [
		`# Head ${e.address(t)} of ${Aa(s.title)}`,
		"",
		...l.sentences.map((e) => Aa(ga(e, o.address))),
		""
	], d = r.flatMap((n) => {
		let r = e.name(n, t);
		return r ? [`- ${n.title}: ${Aa(r.title)} (${Math.round(100 * (n.confidence[t] ?? 0))} %)`] : [];
	});
	if (d.length > 0 && u.push("## Names", "", ...d, ""), l.relations.length > 0) {
		u.push("## Relations", "", "| relation | way | found | baseline | p | n | documents |", "|---|---|---|---|---|---|---|");
		for (let e of l.relations) u.push(`| ${Aa(e.title)} | ${Aa(e.way)} | ${la(e.value, e.low, e.high)} | ${e.baseline === null ? "" : `${la(e.baseline, null, null)} (${Aa(e.baseline_title)})`} | ${ua(e.p)} | ${e.n} | ${e.documents || ""} |`);
		u.push("");
	}
	if (l.effects.length > 0) {
		u.push("## Disabled", "");
		for (let e of l.effects) u.push(`- ${Aa(e.edit_title)}: ${Aa(e.score)} ${sa(e.change)}${e.low === null || e.high === null ? "" : ` (95 %: ${sa(e.low)} to ${sa(e.high)})`}${e.p === null ? "" : `, ${ua(e.p)}`}, ${fa(e.n, e.documents)}`);
		u.push("");
	}
	return u.push("## Statistics", "", "| statistic | value | among heads | corpus |", "|---|---|---|---|"), i.forEach((n, r) => {
		n.values[t] !== null && u.push(`| ${Aa(n.title)} | ${$i(n, n.values[t], n.stderr[t])} | ${e.rankText(r, t)} | ${Aa(a[n.chapter].corpus)} |`);
	}), [
		...u,
		"",
		`Made with Attlas ${c.attlas} from ${Aa(c.atlas)}, ${c.when}.`,
		""
	].join("\n");
}
var Aa = (e) => e.replace(/[\\`*_{}[\]<>|#]/g, "\\$&").replace(/\s+/g, " "), ja = /* @__PURE__ */ J("<th scope=\"col\" class=\"name svelte-x41cjd\"><button type=\"button\" class=\"svelte-x41cjd\"> </button></th>"), Ma = /* @__PURE__ */ J("<th scope=\"col\" class=\"number svelte-x41cjd\"><button type=\"button\" class=\"svelte-x41cjd\"> </button><sup class=\"note\"> </sup></th>"), Na = /* @__PURE__ */ J("<tr aria-hidden=\"true\" class=\"svelte-x41cjd\"><td class=\"gap svelte-x41cjd\"></td></tr>"), Pa = /* @__PURE__ */ J("<i class=\"svelte-x41cjd\"></i><bdi> </bdi>", 1), Fa = /* @__PURE__ */ J("<td class=\"name svelte-x41cjd\"><!></td>"), Ia = /* @__PURE__ */ J("<td class=\"number svelte-x41cjd\"> </td>"), La = /* @__PURE__ */ J("<tr data-row=\"\" class=\"svelte-x41cjd\"><th scope=\"row\" class=\"svelte-x41cjd\"><a> </a></th><!><!></tr>"), Ra = /* @__PURE__ */ J("<button type=\"button\"> </button>"), za = /* @__PURE__ */ J("<div class=\"scroll svelte-x41cjd\" tabindex=\"0\" role=\"region\" aria-label=\"Table of heads\"><table class=\"svelte-x41cjd\"><thead class=\"svelte-x41cjd\"><tr><th scope=\"col\" class=\"svelte-x41cjd\"><button type=\"button\" class=\"svelte-x41cjd\"> </button></th><!><!></tr></thead><tbody class=\"svelte-x41cjd\"><!><!><!></tbody></table></div> <p class=\"tools svelte-x41cjd\"><!> <button type=\"button\">CSV with all statistics</button></p>", 1);
function Ba(e, t) {
	N(t, !0);
	let n = Fi(t, "more", 19, () => []), r = Fi(t, "first", 3, 24), i = M("report"), { book: a } = i, { statistics: o, names: s } = a.document, c = /* @__PURE__ */ L(!1), l = /* @__PURE__ */ F(() => [.../* @__PURE__ */ new Set([...n(), ...a.overview])]), u = /* @__PURE__ */ F(() => i.sort.replace(/^-/, "")), d = /* @__PURE__ */ F(() => i.sort.startsWith("-")), f = /* @__PURE__ */ F(() => {
		if (!K(u)) return t.heads;
		let e = [...t.heads], n = s.find((e) => e.kind === K(u));
		if (K(u) === "head") e.sort((e, t) => e - t);
		else if (n) e.sort((e, t) => (a.name(n, e)?.title ?? "~").localeCompare(a.name(n, t)?.title ?? "~") || e - t);
		else {
			let t = o[a.named(K(u)) ?? 0].values;
			e.sort((e, n) => (t[n] ?? -Infinity) - (t[e] ?? -Infinity) || e - n);
		}
		return K(d) ? e.reverse() : e;
	}), p = /* @__PURE__ */ F(() => K(c) || i.printing === "all" ? K(f) : K(f).slice(0, r())), m, h = /* @__PURE__ */ L(32), g = /* @__PURE__ */ L(0), _ = /* @__PURE__ */ L(200), v = /* @__PURE__ */ F(() => K(p).length), y = /* @__PURE__ */ F(() => K(v) > 200 && i.printing !== "all"), b = /* @__PURE__ */ F(() => K(y) ? K(p).slice(K(g), K(g) + K(_)) : K(p)), x = /* @__PURE__ */ F(() => K(v) - K(g) - K(b).length);
	function S() {
		if (!K(y)) return;
		R(h, m.querySelector("tr[data-row]")?.offsetHeight || K(h), !0), R(_, Math.ceil(innerHeight / K(h)) + 40);
		let e = Math.floor(-m.getBoundingClientRect().top / K(h)) - 20;
		R(g, Math.max(0, Math.min(e - e % 10, K(v) - K(_))), !0);
	}
	vn(() => {
		K(y) ? S() : R(g, 0);
	});
	let C = (e) => `${Math.max(...e.map((e) => e.length))}ch`, w = /* @__PURE__ */ F(() => K(y) ? s.map(({ choices: e }) => C(e.map(({ title: e }) => e))) : []), ee = /* @__PURE__ */ F(() => K(y) ? K(l).map((e) => C(t.heads.map((t) => ta(o[e], o[e].values[t])))) : []), te = (e) => i.go({ sort: K(u) === e ? K(d) ? "" : `-${e}` : e }), ne = (e) => K(u) === e ? K(d) ? "ascending" : "descending" : "none", re = (e) => K(u) === e ? K(d) ? " ↑" : " ↓" : "";
	var ie = za();
	xr("scroll", Qt, S), xr("resize", Qt, S);
	var T = B(ie), E = z(T), ae = z(E), oe = z(ae), se = z(oe), ce = z(se), le = V(ce);
	A(se);
	var ue = H(se);
	Q(ue, 19, () => s, ({ kind: e, title: t }) => e, (e, t, n) => {
		let r = () => K(t).kind, i = () => K(t).title;
		var a = ja();
		let o;
		var s = z(a), c = V(s);
		A(a), U((e, t) => {
			$(a, "aria-sort", e), o = di(a, "", o, { "min-width": K(w)[K(n)] }), $(s, "title", i()), X(c, `${r() ?? ""}${t ?? ""}`);
		}, [() => ne(r()), () => re(r())]), q("click", s, () => te(r())), Y(e, a);
	}), Q(H(ue), 18, () => K(l), (e) => e, (e, t, n) => {
		let r = /* @__PURE__ */ F(() => {
			let { key: e, short: n, unit: r } = o[t];
			return {
				own: e,
				short: n,
				unit: r
			};
		});
		var i = Ma();
		let a;
		var s = z(i), c = V(s), l = V(H(s), !0);
		A(i), U((e, o) => {
			$(i, "aria-sort", e), a = di(i, "", a, { "min-width": K(ee)[K(n)] }), $(s, "data-tells", `statistic ${t ?? ""}`), X(c, `${K(r).short ?? ""}${K(r).unit === "share" ? ", %" : ""}${o ?? ""}`), X(l, t + 1);
		}, [() => ne(K(r).own), () => re(K(r).own)]), q("click", s, () => te(K(r).own)), Y(e, i);
	}), A(oe), A(ae);
	var de = H(ae), fe = z(de), pe = (e) => {
		var t = Na(), n = z(t);
		let r;
		A(t), U(() => r = di(n, "", r, { height: `${K(g) * K(h)}px` })), Y(e, t);
	};
	Z(fe, (e) => {
		K(y) && K(g) > 0 && e(pe);
	});
	var me = H(fe);
	Q(me, 18, () => K(b), (e) => e, (e, t, n) => {
		var r = La(), c = z(r), u = z(c), d = V(u, !0);
		A(c);
		var f = H(c);
		Q(f, 17, () => s, (e) => e.kind, (e, n) => {
			let r = /* @__PURE__ */ F(() => a.name(K(n), t));
			var o = Fa(), s = z(o), c = (e) => {
				var t = Pa(), n = B(t);
				let a;
				var o = V(H(n), !0);
				U(() => {
					a = di(n, "", a, { background: i.dark ? K(r).dark : K(r).light }), X(o, K(r).title);
				}), Y(e, t);
			};
			Z(s, (e) => {
				K(r) && K(r).name !== "none" && e(c);
			}), A(o), Y(e, o);
		}), Q(H(f), 16, () => K(l), (e) => e, (e, n) => {
			var r = Ia(), i = V(r, !0);
			U((e) => {
				$(r, "data-tells", `statistic ${n ?? ""} ${t ?? ""}`), X(i, e);
			}, [() => ta(o[n], o[n].values[t])]), Y(e, r);
		}), A(r), U((e, i) => {
			$(r, "aria-rowindex", K(y) ? K(g) + K(n) + 2 : void 0), $(u, "href", e), $(u, "data-tells", `head ${t ?? ""}`), X(d, i);
		}, [() => i.link(t), () => a.address(t)]), Y(e, r);
	});
	var he = H(me), D = (e) => {
		var t = Na(), n = z(t);
		let r;
		A(t), U(() => r = di(n, "", r, { height: `${K(x) * K(h)}px` })), Y(e, t);
	};
	Z(he, (e) => {
		K(y) && K(x) > 0 && e(D);
	}), A(de), Ai(de, (e) => m = e, () => m), A(E), A(T);
	var ge = H(T, 2), _e = z(ge), ve = (e) => {
		var t = Ra(), n = V(t);
		U((e) => X(n, `Show all ${e ?? ""}`), [() => da(K(f).length, "head")]), q("click", t, () => R(c, !0)), Y(e, t);
	};
	Z(_e, (e) => {
		K(f).length > K(v) && e(ve);
	});
	var ye = H(_e, 2);
	A(ge), U((e, t) => {
		$(E, "aria-rowcount", K(y) ? K(v) + 1 : void 0), $(oe, "aria-rowindex", K(y) ? 1 : void 0), $(se, "aria-sort", e), X(le, `head${t ?? ""}`);
	}, [() => ne("head"), () => re("head")]), q("click", ce, () => te("head")), q("click", ye, () => Sa(new Blob([Da(a, K(f))], { type: "text/csv" }), `${a.document.model.title.replace(/[^\w.-]+/g, "-")}-heads.csv`)), Y(e, ie), P();
}
Sr(["click"]);
//#endregion
//#region src/report/Words.svelte
var Va = /* @__PURE__ */ J("<a class=\"inline svelte-1a2qb0f\"> </a>"), Ha = /* @__PURE__ */ J("<span class=\"measured\" tabindex=\"0\"> </span>"), Ua = /* @__PURE__ */ J("<sup class=\"note\"> </sup>"), Wa = /* @__PURE__ */ J("<!><!>", 1);
function Ga(e, t) {
	N(t, !0);
	let n = Fi(t, "about", 3, ""), r = M("report"), i = /(\d[^()]*\([^)]*\)|(?<![\w.])\d[\d.,–]*(?: %)?)/, a = (e) => n() ? e.split(i) : [e];
	var o = Wa(), s = B(o);
	Q(s, 17, () => t.sentence, Gr, (e, t) => {
		var i = Nr(), o = B(i), s = (e) => {
			var n = Va(), i = V(n, !0);
			U((e, r) => {
				$(n, "href", e), $(n, "data-tells", `head ${K(t) ?? ""}`), X(i, r);
			}, [() => r.link(K(t)), () => r.book.address(K(t))]), Y(e, n);
		}, c = (e) => {
			var r = Nr();
			Q(B(r), 17, () => a(K(t)), Gr, (e, t, r) => {
				var i = Nr(), a = B(i), o = (e) => {
					var r = Ha(), i = V(r, !0);
					U(() => {
						$(r, "data-tells", n()), X(i, K(t));
					}), Y(e, r);
				}, s = (e) => {
					var n = Mr();
					U(() => X(n, K(t))), Y(e, n);
				};
				Z(a, (e) => {
					r % 2 ? e(o) : e(s, -1);
				}), Y(e, i);
			}), Y(e, r);
		};
		Z(o, (e) => {
			typeof K(t) == "number" ? e(s) : e(c, -1);
		}), Y(e, i);
	});
	var c = H(s), l = (e) => {
		var t = Ua(), r = V(t, !0);
		U((e) => X(r, e), [() => ha(n())]), Y(e, t);
	};
	Z(c, (e) => {
		n() && e(l);
	}), Y(e, o), P();
}
//#endregion
//#region src/report/Answers.svelte
var Ka = /* @__PURE__ */ J("<p class=\"warning svelte-15e2dk5\"><code> </code> </p>"), qa = /* @__PURE__ */ J("<p class=\"warning svelte-15e2dk5\"> <code> </code></p>"), Ja = /* @__PURE__ */ J("<p class=\"warning svelte-15e2dk5\"> </p>"), Ya = /* @__PURE__ */ J(" <!>", 1), Xa = /* @__PURE__ */ J("<li class=\"svelte-15e2dk5\"><a class=\"address svelte-15e2dk5\"> </a> <p></p></li>"), Za = /* @__PURE__ */ J("<!> <p class=\"tools svelte-15e2dk5\"><button type=\"button\"> </button></p>", 1), Qa = /* @__PURE__ */ J("<section aria-labelledby=\"attlas-found\" class=\"svelte-15e2dk5\"><h1 id=\"attlas-found\" tabindex=\"-1\" class=\"svelte-15e2dk5\"> <small class=\"svelte-15e2dk5\"><!></small></h1> <!> <!> <!> <ol class=\"answers svelte-15e2dk5\"></ol> <!></section>");
function $a(e, t) {
	N(t, !0);
	let n = M("report"), { book: r } = n, i = /* @__PURE__ */ F(() => n.found), a = /* @__PURE__ */ F(() => K(i).query.conditions.flatMap(({ statistic: e }) => e === null ? [] : [e])), o = /* @__PURE__ */ F(() => [...new Set(K(i).answers.map(({ about: e }) => e).filter(Boolean))]), s = /* @__PURE__ */ L(!1);
	async function c() {
		await navigator.clipboard.writeText(location.href), R(s, !0), setTimeout(() => R(s, !1), 2e3);
	}
	var l = Qa(), u = z(l), d = z(u, !0), f = H(d), p = z(f), m = (e) => {
		var t = Mr();
		U((e) => X(t, `by ${e ?? ""}`), [() => K(o).join(", ")]), Y(e, t);
	};
	Z(p, (e) => {
		K(o).length > 0 && e(m);
	}), A(f), A(u);
	var h = H(u, 2);
	Q(h, 17, () => K(i).query.conditions.filter(({ problem: e }) => e), ({ written: e, problem: t }) => e, (e, t) => {
		let n = () => K(t).written, r = () => K(t).problem;
		var i = Ka(), a = z(i), o = V(a, !0), s = H(a);
		A(i), U(() => {
			X(o, n()), X(s, `: ${r() ?? ""}.`);
		}), Y(e, i);
	});
	var g = H(h, 2);
	Q(g, 17, () => K(i).missing, ({ title: e, command: t }) => t, (e, t) => {
		let n = () => K(t).title, r = () => K(t).command;
		var i = qa(), a = z(i), o = V(H(a), !0);
		A(i), U(() => {
			X(a, `The atlas has not measured ${n() ?? ""}. This would: `), X(o, r());
		}), Y(e, i);
	});
	var _ = H(g, 2), v = (e) => {
		var t = Ja(), n = V(t, !0);
		U(() => X(n, K(i).note)), Y(e, t);
	};
	Z(_, (e) => {
		K(i).note && e(v);
	});
	var y = H(_, 2);
	Q(y, 21, () => K(i).answers, ({ head: e, sentences: t, tells: n, sure: r }) => e, (e, t) => {
		let i = () => K(t).head, a = () => K(t).sentences, o = () => K(t).tells, s = () => K(t).sure;
		var c = Xa(), l = z(c), u = V(l, !0), d = H(l, 2);
		let f;
		Q(d, 21, a, Gr, (e, t, n) => {
			we();
			var r = Ya(), i = B(r, !0);
			i.nodeValue = n ? " " : "", Ga(H(i), {
				get sentence() {
					return K(t);
				},
				get about() {
					return o()[n];
				}
			}), Y(e, r);
		}), A(d), A(c), U((e, t) => {
			$(l, "href", e), $(l, "data-tells", `head ${i() ?? ""}`), X(u, t), f = li(d, 1, "svelte-15e2dk5", null, f, { unsure: !s() });
		}, [() => n.link(i()), () => r.address(i())]), Y(e, c);
	}), A(y);
	var b = H(y, 2), x = (e) => {
		var t = Za(), n = B(t);
		Ba(n, {
			get heads() {
				return K(i).heads;
			},
			get more() {
				return K(a);
			},
			first: 48
		});
		var r = H(n, 2), o = z(r), l = V(o, !0);
		A(r), U(() => X(l, K(s) ? "Copied" : "Copy a link to this result")), q("click", o, c), Y(e, t);
	};
	Z(b, (e) => {
		K(i).heads.length > 0 && e(x);
	}), A(l), U((e) => X(d, e), [() => K(i).heads.length === 0 ? "No head" : da(K(i).heads.length, "head")]), Y(e, l), P();
}
Sr(["click"]);
//#endregion
//#region src/report/Interval.svelte
var eo = /* @__PURE__ */ jr("<path stroke-opacity=\"0.45\" stroke-width=\"4\" stroke-linecap=\"round\"></path>"), to = /* @__PURE__ */ jr("<path stroke-width=\"1.5\"></path>"), no = /* @__PURE__ */ jr("<svg class=\"strip\" height=\"22\" aria-hidden=\"true\"><path></path><!><!><circle cy=\"11\" r=\"5\" stroke-width=\"1.5\"></circle></svg>");
function ro(e, t) {
	N(t, !0);
	let n = M("report"), r = /* @__PURE__ */ F(() => n.colours), i = /* @__PURE__ */ F(() => (e) => 6 + 188 * (Math.max(t.from, Math.min(t.to, e)) - t.from) / (t.to - t.from || 1));
	var a = no();
	$(a, "viewBox", "0 0 200 22"), $(a, "width", 200);
	var o = z(a);
	$(o, "d", "M6 16H194");
	var s = H(o), c = (e) => {
		var n = eo();
		U((e, t) => {
			$(n, "d", `M${e ?? ""} 11H${t ?? ""}`), $(n, "stroke", K(r).accent);
		}, [() => K(i)(t.low), () => K(i)(t.high)]), Y(e, n);
	};
	Z(s, (e) => {
		t.low !== null && t.high !== null && e(c);
	});
	var l = H(s), u = (e) => {
		var n = to();
		U((e) => {
			$(n, "d", `M${e ?? ""} 2V20`), $(n, "stroke", K(r).negative);
		}, [() => K(i)(t.against)]), Y(e, n);
	};
	Z(l, (e) => {
		t.against !== null && e(u);
	});
	var d = H(l);
	A(a), U((e) => {
		$(o, "stroke", K(r).edge), $(d, "cx", e), $(d, "fill", K(r).accent), $(d, "stroke", K(r).page);
	}, [() => K(i)(t.value)]), Y(e, a), P();
}
//#endregion
//#region src/report/CardEvidence.svelte
var io = /* @__PURE__ */ J("<tr><th scope=\"row\"> <small> </small></th><td class=\"picture\"><!></td><td class=\"value\"><span class=\"measured\" tabindex=\"0\"> </span><sup class=\"note\"> </sup></td><td class=\"rank\"><!><small> </small></td></tr>"), ao = /* @__PURE__ */ J("<section><h2>Relations it tracks</h2> <table class=\"strips intervals\"><tbody></tbody></table></section>"), oo = /* @__PURE__ */ J("<tr><th scope=\"row\"> <small> </small></th><td class=\"picture\"><!></td><td class=\"value\"><span class=\"measured\" tabindex=\"0\"> <!></span><sup class=\"note\"> </sup></td><td class=\"rank\"> <small> </small></td></tr>"), so = /* @__PURE__ */ J("<section><h2>Without it</h2> <table class=\"strips intervals\"><tbody></tbody></table></section>"), co = /* @__PURE__ */ J("<li><span class=\"measured\"> <bdi> </bdi></span><sup class=\"note\"> </sup><!>.</li>"), lo = /* @__PURE__ */ J("<li>In <bdi> </bdi> <span class=\"measured\"> </span><sup class=\"note\"> </sup> </li>"), uo = /* @__PURE__ */ J("<section><h2>In another model</h2> <ul><!> <!></ul></section>"), fo = /* @__PURE__ */ J("<!> <!> <!>", 1);
function po(e, t) {
	N(t, !0);
	let n = /* @__PURE__ */ F(() => Math.max(1e-9, ...t.card.effects.flatMap(({ change: e, low: t, high: n }) => [
		e,
		t ?? 0,
		n ?? 0
	].map(Math.abs)))), r = (e) => e === null ? "" : `${Math.round(100 * e)} %`;
	var i = fo(), a = B(i), o = (e) => {
		var n = ao(), i = H(z(n), 2), a = z(i);
		Q(a, 21, () => t.card.relations, Gr, (e, t) => {
			var n = io();
			let i;
			var a = z(n), o = z(a, !0), s = V(H(o), !0);
			A(a);
			var c = H(a);
			ro(z(c), {
				get value() {
					return K(t).value;
				},
				get low() {
					return K(t).low;
				},
				get high() {
					return K(t).high;
				},
				get against() {
					return K(t).baseline;
				},
				from: 0,
				to: 1
			}), A(c);
			var l = H(c), u = z(l), d = V(u, !0), f = V(H(u), !0);
			A(l);
			var p = H(l), m = z(p), h = (e) => {
				var n = Mr();
				U((e) => X(n, `${K(t).baseline_title ?? ""}: ${e ?? ""}`), [() => r(K(t).baseline)]), Y(e, n);
			};
			Z(m, (e) => {
				K(t).baseline !== null && e(h);
			});
			var g = V(H(m), !0);
			A(p), A(n), U((e, r, a) => {
				i = li(n, 1, "", null, i, { unsure: !K(t).sure }), X(o, K(t).title), X(s, K(t).way), $(u, "data-tells", `chapter ${K(t).chapter ?? ""}`), X(d, e), X(f, r), X(g, a);
			}, [
				() => la(K(t).value, K(t).low, K(t).high),
				() => ma(K(t).chapter),
				() => [
					K(t).sure ? "" : "could be chance",
					ua(K(t).p),
					fa(K(t).n, K(t).documents)
				].filter(Boolean).join(", ")
			]), Y(e, n);
		}), A(a), A(i), A(n), Y(e, n);
	};
	Z(a, (e) => {
		t.card.relations.length > 0 && e(o);
	});
	var s = H(a, 2), c = (e) => {
		var r = so(), i = H(z(r), 2), a = z(i);
		Q(a, 21, () => t.card.effects, Gr, (e, t) => {
			var r = oo();
			let i;
			var a = z(r), o = z(a, !0), s = V(H(o), !0);
			A(a);
			var c = H(a), l = z(c);
			{
				let e = /* @__PURE__ */ F(() => -K(n));
				ro(l, {
					get value() {
						return K(t).change;
					},
					get low() {
						return K(t).low;
					},
					get high() {
						return K(t).high;
					},
					against: 0,
					get from() {
						return K(e);
					},
					get to() {
						return K(n);
					}
				});
			}
			A(c);
			var u = H(c), d = z(u), f = z(d, !0), p = H(f), m = (e) => {
				var n = Mr();
				U((e, t) => X(n, ` (95 %: ${e ?? ""} to ${t ?? ""})`), [() => sa(K(t).low), () => sa(K(t).high)]), Y(e, n);
			};
			Z(p, (e) => {
				K(t).low !== null && K(t).high !== null && e(m);
			}), A(d);
			var h = V(H(d), !0);
			A(u);
			var g = H(u), _ = z(g), v = V(H(_), !0);
			A(g), A(r), U((e, n, a, c, l) => {
				i = li(r, 1, "", null, i, { unsure: K(t).p === null || K(t).p >= .05 }), X(o, K(t).score), X(s, K(t).edit_title), $(d, "data-tells", `chapter ${K(t).chapter ?? ""}`), X(f, e), X(h, n), X(_, `${a ?? ""} → ${c ?? ""}`), X(v, l);
			}, [
				() => sa(K(t).change),
				() => ma(K(t).chapter),
				() => ia(K(t).plain, 4),
				() => ia(K(t).disabled, 4),
				() => [ua(K(t).p), fa(K(t).n, K(t).documents)].filter(Boolean).join(", ")
			]), Y(e, r);
		}), A(a), A(i), A(r), Y(e, r);
	};
	Z(s, (e) => {
		t.card.effects.length > 0 && e(c);
	});
	var l = H(s, 2), u = (e) => {
		var n = uo(), r = H(z(n), 2), i = z(r);
		Q(i, 17, () => t.card.changes, Gr, (e, t) => {
			let n = () => K(t).chapter, r = () => K(t).other, i = () => K(t).title, a = () => K(t).first, o = () => K(t).second, s = () => K(t).low, c = () => K(t).high, l = () => K(t).p;
			var u = co(), d = z(u), f = z(d), p = V(H(f), !0);
			A(d);
			var m = H(d), h = V(m, !0), g = H(m), _ = (e) => {
				var t = Mr();
				U((e, n, r) => X(t, ` (95 % of the change: ${e ?? ""} to ${n ?? ""}${r ?? ""})`), [
					() => sa(s()),
					() => sa(c()),
					() => l() === null ? "" : `; ${ua(l())}`
				]), Y(e, t);
			};
			Z(g, (e) => {
				s() !== null && c() !== null && e(_);
			}), we(), A(u), U((e, t, a) => {
				$(d, "data-tells", `chapter ${n() ?? ""}`), X(f, `${i() ?? ""}: ${e ?? ""} here, ${t ?? ""} in `), X(p, r()), X(h, a);
			}, [
				() => a() === null ? "–" : ia(a()),
				() => o() === null ? "–" : ia(o()),
				() => ma(n())
			]), Y(e, u);
		}), Q(H(i, 2), 17, () => t.card.matches, Gr, (e, t) => {
			let n = () => K(t).chapter, r = () => K(t).other, i = () => K(t).layer, a = () => K(t).head, o = () => K(t).distance, s = () => K(t).own_distance;
			var c = lo(), l = H(z(c)), u = V(l, !0), d = H(l), f = H(d), p = V(f), m = H(f), h = V(m, !0), g = H(m);
			A(c), U((e, t, o) => {
				X(u, r()), X(d, `, head ${i() ?? ""}.${a() ?? ""} does most nearly the same: `), $(f, "data-tells", `chapter ${n() ?? ""}`), X(p, `${e ?? ""} nats apart`), X(h, t), X(g, `${o ?? ""}.`);
			}, [
				() => ia(o()),
				() => ma(n()),
				() => s() === null ? "" : ` (the head of the same address: ${ia(s())})`
			]), Y(e, c);
		}), A(r), A(n), Y(e, n);
	};
	Z(l, (e) => {
		(t.card.changes.length > 0 || t.card.matches.length > 0) && e(u);
	}), Y(e, i), P();
}
//#endregion
//#region src/report/cardPicture.ts
var [mo, ho, go] = [
	720,
	32,
	92
], [_o, vo] = [250, 470];
function yo(e, t, n) {
	let { model: r, heads: i, statistics: a, cards: o, made: s } = e.document, c = o[t], l = [], u = 48, d = (e, { x: t = ho, size: r = 14, fill: i = n.ink, weight: a = 400 } = {}) => l.push(`<text x="${t}" y="${u}" font-size="${r}" font-weight="${a}" fill="${i}">${So(e)}</text>`), f = (e) => {
		u += 20, d(e, {
			size: 16,
			weight: 650
		}), u += 24;
	};
	d(`Head ${e.address(t)} of ${r.title}`, {
		size: 24,
		weight: 650
	}), u += 30;
	for (let e of c.sentences) for (let t of xo(ga(e, i.address), go)) d(t), u += 20;
	f("Where it looks");
	for (let [r, i] of a.entries()) i.overview && i.values[t] !== null && (d(i.title), l.push(bo(e, r, t, u - 11, n)), d(`${$i(i, i.values[t], i.stderr[t])}   ${e.rankText(r, t)}`, {
		x: vo,
		size: 12
	}), u += 20);
	if (c.relations.length > 0) {
		f("Relations it tracks");
		for (let e of c.relations) d(e.title), d([
			la(e.value, e.low, e.high),
			e.baseline === null ? "" : `${e.baseline_title} ${la(e.baseline, null, null)}`,
			ua(e.p),
			fa(e.n, e.documents)
		].filter(Boolean).join(" · "), {
			x: _o,
			size: 12
		}), u += 20;
	}
	if (c.effects.length > 0) {
		f("Without it");
		for (let e of c.effects) d(e.score), d([
			sa(e.change),
			e.low === null || e.high === null ? "" : `95 %: ${sa(e.low)} to ${sa(e.high)}`,
			ua(e.p),
			fa(e.n, e.documents)
		].filter(Boolean).join(" · "), {
			x: _o,
			size: 12
		}), u += 20;
	}
	u += 16, d(`Attlas ${s.attlas}, ${s.when}${s.atlas ? `, ${s.atlas}` : ""}`, {
		size: 11,
		fill: n.quiet
	});
	let p = u + 24, m = `<rect width="100%" height="100%" fill="${n.page}"/>`;
	return {
		text: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${mo} ${p}" width="${mo}" height="${p}" font-family="${So(Bi)}">${m}${l.join("")}</svg>`,
		width: mo,
		height: p
	};
}
function bo(e, t, n, r, i) {
	let { values: a } = e.document.statistics[t], o = e.document.heads.kind, [s, c] = e.domain(t), l = (e) => (_o + 180 * (e - s) / (c - s)).toFixed(1), u = a.map((e, t) => e === null || o[t] !== o[n] ? "" : `M${l(e)} ${r + 1}V${r + 11}`).join("");
	return `<path d="M${_o} ${r + 11}H${_o + 180}" stroke="${i.edge}"/><path d="${u}" stroke="${i.quiet}" stroke-opacity="0.35"/><circle cx="${l(a[n])}" cy="${r + 6}" r="4.5" fill="${i.accent}"/>`;
}
function xo(e, t) {
	let n = [];
	for (let r of e.split(" ")) {
		let e = n.at(-1);
		e !== void 0 && e.length + r.length < t ? n[n.length - 1] = `${e} ${r}` : n.push(r);
	}
	return n;
}
var So = (e) => e.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff\ufffe\uffff]/gu, "�").replace(/[&<>"]/g, (e) => `&#${e.charCodeAt(0)};`);
//#endregion
//#region src/report/passage.ts
function Co({ tokens: e, gaps: t }, n, r, i = 12) {
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
//#endregion
//#region src/report/Example.svelte
var wo = /* @__PURE__ */ J("<span class=\"arrow\">→</span>"), To = /* @__PURE__ */ J("<bdi> </bdi>"), Eo = /* @__PURE__ */ J("<mark><bdi> </bdi></mark>"), Do = /* @__PURE__ */ J(" <!>", 1), Oo = /* @__PURE__ */ J("<!><!>", 1), ko = /* @__PURE__ */ J("<li class=\"svelte-viqa4g\"><span class=\"weight svelte-viqa4g\"> </span> <p class=\"svelte-viqa4g\"></p></li>");
function Ao(e, t) {
	N(t, !0);
	let { tokens: n } = M("report").book.document, r = /* @__PURE__ */ F(() => t.examples.key_tokens[t.at]), i = /* @__PURE__ */ F(() => {
		let e = n[t.examples.tokens[t.at]];
		return K(r) === null ? [Co(e, t.examples.query[t.at], t.examples.key[t.at])] : [Co(e, t.examples.query[t.at], null), Co(n[K(r)], null, t.examples.key[t.at])];
	}), a = /* @__PURE__ */ F(() => t.examples.weight[t.at]);
	var o = ko(), s = z(o), c = V(s, !0), l = H(s, 2);
	Q(l, 21, () => K(i), Gr, (e, t, n) => {
		var r = Oo(), i = B(r), o = (e) => {
			Y(e, wo());
		};
		Z(i, (e) => {
			n && e(o);
		}), Q(H(i), 17, () => K(t), Gr, (e, t) => {
			let n = () => K(t).text, r = () => K(t).apart, i = () => K(t).role;
			we();
			var o = Do(), s = B(o, !0), c = H(s), l = (e) => {
				var t = To(), r = V(t, !0);
				U(() => {
					li(t, 1, ri(i()), "svelte-viqa4g"), X(r, n());
				}), Y(e, t);
			}, u = (e) => {
				var t = Eo();
				let r;
				var o = V(z(t), !0);
				A(t), U((e) => {
					li(t, 1, ri(i()), "svelte-viqa4g"), r = di(t, "", r, { "--strength": e }), X(o, n());
				}, [() => `${Math.round(20 + 55 * Math.min(1, K(a)))}%`]), Y(e, t);
			};
			Z(c, (e) => {
				i() === "" || i() === "gap" ? e(l) : e(u, -1);
			}), U(() => X(s, r() ? " " : "")), Y(e, o);
		}), Y(e, r);
	}), A(l), A(o), U((e) => X(c, e), [() => K(a).toFixed(2)]), Y(e, o), P();
}
//#endregion
//#region src/report/ExampleGroups.svelte
var jo = /* @__PURE__ */ J("<p class=\"quiet\">This atlas keeps only a head's strongest links, which are not typical of it: look at its statistics and its map, too.</p>"), Mo = /* @__PURE__ */ J("<button type=\"button\" class=\"more\"> </button>"), No = /* @__PURE__ */ J("<h3> </h3> <ul class=\"svelte-1294qqo\"></ul> <!>", 1), Po = /* @__PURE__ */ J("<p class=\"key svelte-1294qqo\">From the <mark class=\"query svelte-1294qqo\">framed</mark> token to the <mark class=\"to svelte-1294qqo\">filled</mark> one, with the weight before it.</p> <!> <!>", 1);
function Fo(e, t) {
	N(t, !0);
	let n = M("report"), r = [
		"weakest fifth",
		"second fifth",
		"middle fifth",
		"fourth fifth",
		"strongest fifth"
	], i = Yt({}), a = /* @__PURE__ */ F(() => {
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
	}), o = /* @__PURE__ */ F(() => !t.examples.kind.some((e) => e === "step" || e === "random"));
	var s = Po(), c = H(B(s), 2), l = (e) => {
		Y(e, jo());
	};
	Z(c, (e) => {
		K(o) && e(l);
	}), Q(H(c, 2), 17, () => K(a), ({ title: e, members: t }) => e, (e, r) => {
		let a = () => K(r).title, o = () => K(r).members;
		var s = No(), c = B(s), l = V(c, !0), u = H(c, 2);
		Q(u, 20, () => n.printing || i[a()] ? o() : o().slice(0, 3), (e) => e, (e, n) => {
			Ao(e, {
				get examples() {
					return t.examples;
				},
				get at() {
					return n;
				}
			});
		}), A(u);
		var d = H(u, 2), f = (e) => {
			var t = Mo(), n = V(t);
			U(() => X(n, `${o().length - 3} more`)), q("click", t, () => i[a()] = !0), Y(e, t);
		};
		Z(d, (e) => {
			o().length > 3 && !i[a()] && e(f);
		}), U(() => X(l, a())), Y(e, s);
	}), Y(e, s), P();
}
Sr(["click"]);
//#endregion
//#region src/report/Save.svelte
var Io = /* @__PURE__ */ J("<p class=\"save svelte-jspyl1\"><button type=\"button\">SVG</button> <button type=\"button\">PNG</button></p>");
function Lo(e, t) {
	N(t, !0);
	let n = M("report"), r = /* @__PURE__ */ F(() => `${n.book.document.model.title.replace(/[^\w.-]+/g, "-")}-${t.name}`);
	var i = Io(), a = z(i), o = H(a, 2);
	A(i), q("click", a, () => t.picture && Sa(wa(t.picture, n.colours.page), `${K(r)}.svg`)), q("click", o, async () => t.picture && Sa(await Ta(t.picture, n.colours.page), `${K(r)}.png`)), Y(e, i), P();
}
Sr(["click"]);
//#endregion
//#region src/report/HeadGrid.svelte
var Ro = /* @__PURE__ */ jr("<text text-anchor=\"end\" dominant-baseline=\"central\"> </text>"), zo = /* @__PURE__ */ jr("<text text-anchor=\"middle\"> </text>"), Bo = /* @__PURE__ */ jr("<!><!>", 1), Vo = /* @__PURE__ */ jr("<a class=\"svelte-9pip0o\"><rect rx=\"5\" class=\"svelte-9pip0o\"></rect></a>"), Ho = /* @__PURE__ */ J("<div class=\"under svelte-9pip0o\"><span class=\"quiet\">Layers downwards, heads across.</span> <!></div>"), Uo = /* @__PURE__ */ J("<svg class=\"grid svelte-9pip0o\" role=\"group\"><!><!></svg> <!>", 1);
function Wo(e, t) {
	N(t, !0);
	let n = Fi(t, "chosen", 3, null), r = Fi(t, "small", 3, !1), i = Fi(t, "saved", 3, !1), a = M("report"), { book: o } = a, s = /* @__PURE__ */ F(() => Math.max(1, t.grid.width * 30 / 420, t.grid.layers * 30 / 620)), c = /* @__PURE__ */ F(() => r() ? 0 : 30 * K(s)), l = /* @__PURE__ */ F(() => r() ? 0 : 22 * K(s)), { kind: u, layer: d, head: f } = o.document.heads, p = /* @__PURE__ */ F(() => [...u.keys()].filter((e) => u[e] === t.grid.kind)), m = /* @__PURE__ */ F(() => K(c) + t.grid.width * 30), h = /* @__PURE__ */ F(() => K(l) + t.grid.layers * 30), g = /* @__PURE__ */ F(() => Math.ceil(t.grid.layers / 16)), _ = /* @__PURE__ */ F(() => Math.ceil(t.grid.width / 16)), v = /* @__PURE__ */ L(0), y = /* @__PURE__ */ L(void 0), b = /* @__PURE__ */ F(() => r() ? Math.min(K(m) / 3, 240 * K(m) / K(h)) : K(m) * Math.min(1.15, 620 / K(h)));
	function x(e) {
		let t = {
			ArrowLeft: [0, -1],
			ArrowRight: [0, 1],
			ArrowUp: [-1, 0],
			ArrowDown: [1, 0]
		}[e.key];
		if (!t) return;
		e.preventDefault();
		let n = K(p)[K(v)], r = K(p).findIndex((e) => d[e] === d[n] + t[0] && f[e] === f[n] + t[1]);
		r < 0 || (R(v, r, !0), K(y)?.querySelectorAll("a")[r].focus());
	}
	var S = Uo(), C = B(S);
	let w;
	var ee = z(C), te = (e) => {
		var n = Bo(), r = B(n);
		Q(r, 16, () => Array(Math.ceil(t.grid.layers / K(g))).keys(), (e) => e, (e, t) => {
			var n = Ro(), r = V(n, !0);
			U(() => {
				$(n, "x", K(c) - 8 * K(s)), $(n, "y", K(l) + (t * K(g) + .5) * 30), $(n, "font-size", 11 * K(s)), $(n, "fill", a.colours.quiet), X(r, t * K(g));
			}), Y(e, n);
		}), Q(H(r), 16, () => Array(Math.ceil(t.grid.width / K(_))).keys(), (e) => e, (e, t) => {
			var n = zo(), r = V(n, !0);
			U(() => {
				$(n, "x", K(c) + (t * K(_) + .5) * 30), $(n, "y", K(l) - 10 * K(s)), $(n, "font-size", 11 * K(s)), $(n, "fill", a.colours.quiet), X(r, t * K(_));
			}), Y(e, n);
		}), Y(e, n);
	};
	Z(ee, (e) => {
		r() || e(te);
	}), Q(H(ee), 18, () => K(p), (e) => e, (e, t, r) => {
		var i = Vo(), s = z(i);
		$(s, "width", 27), $(s, "height", 27), A(i), U((e, o, u, p, m) => {
			$(i, "href", e), $(i, "data-tells", `head ${t ?? ""}`), $(i, "tabindex", K(r) === K(v) ? 0 : -1), $(i, "aria-label", `Head ${o ?? ""}, ${u ?? ""}`), $(i, "aria-current", t === n() ? "page" : void 0), $(s, "x", K(c) + f[t] * 30 + 1.5), $(s, "y", K(l) + d[t] * 30 + 1.5), $(s, "fill", p), $(s, "fill-opacity", m), $(s, "stroke", t === n() || t === a.pointed ? a.colours.ink : a.colours.edge), $(s, "stroke-width", t === n() ? 6 : t === a.pointed ? 2.5 : .75);
		}, [
			() => a.link(t),
			() => o.address(t),
			() => a.says(t),
			() => a.colour(t),
			() => a.opacity(t)
		]), xr("focus", i, () => R(v, K(r), !0)), Y(e, i);
	}), A(C), Ai(C, (e) => R(y, e), () => K(y));
	var ne = H(C, 2), re = (e) => {
		var n = Ho();
		Lo(H(z(n), 2), {
			get picture() {
				return K(y);
			},
			get name() {
				return `${t.grid.kind ?? ""}-heads`;
			}
		}), A(n), Y(e, n);
	};
	Z(ne, (e) => {
		i() && e(re);
	}), U(() => {
		$(C, "viewBox", `0 0 ${K(m) ?? ""} ${K(h) ?? ""}`), $(C, "aria-label", `${t.grid.kind ?? ""} heads by layer`), w = di(C, "", w, { "max-width": `${K(b) ?? ""}px` });
	}), q("keydown", C, x), Y(e, S), P();
}
Sr(["keydown"]);
//#endregion
//#region src/draw/ramp.ts
var Go = {
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
}, Ko = {};
function qo(e, t = !1) {
	let n = `${e ? "dark" : "light"}${t ? " signed" : ""}`;
	return Ko[n] ??= Jo(Go[n]);
}
function Jo(e) {
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
function Yo(e, t, n = !1) {
	let r = Math.max(0, Math.min(255, Math.round(t * 255))) * 4, [i, a, o] = qo(e, n).slice(r, r + 3);
	return `#${[
		i,
		a,
		o
	].map((e) => e.toString(16).padStart(2, "0")).join("")}`;
}
function Xo(e, t, n, r, { clear: i = !1, signed: a = !1 } = {}) {
	let o = document.createElement("canvas");
	o.width = t, o.height = n;
	let s = new ImageData(t, n), c = new Uint32Array(qo(r, a).buffer), l = new Uint32Array(s.data.buffer);
	for (let t = 0; t < e.length; t++) (e[t] > 0 || !i) && (l[t] = c[e[t]]);
	return o.getContext("2d").putImageData(s, 0, 0), o;
}
//#endregion
//#region src/report/MapPicture.svelte
var Zo = /* @__PURE__ */ jr("<text text-anchor=\"end\" dominant-baseline=\"central\" font-size=\"9.5\"> </text>"), Qo = /* @__PURE__ */ jr("<text dominant-baseline=\"central\" font-size=\"9.5\"> </text>"), $o = /* @__PURE__ */ J("<bdi> </bdi> → <bdi> </bdi> ", 1), es = /* @__PURE__ */ J("<figure class=\"svelte-za658m\"><svg role=\"img\" aria-label=\"A typical map of the head: rows attend to columns\" font-family=\"var(--font)\" class=\"svelte-za658m\"><!><!><image preserveAspectRatio=\"none\" role=\"presentation\"></image><rect fill=\"none\" pointer-events=\"none\"></rect></svg> <figcaption aria-live=\"polite\" class=\"svelte-za658m\"><!></figcaption></figure> <!>", 1);
function ts(e, t) {
	N(t, !0);
	let n = M("report"), { book: r } = n, i = /* @__PURE__ */ L(void 0), a = /* @__PURE__ */ L(null), o = /* @__PURE__ */ F(() => r.weights(t.map)), s = /* @__PURE__ */ F(() => r.document.tokens[t.map.tokens].tokens), c = /* @__PURE__ */ F(() => Xo(K(o).bytes, K(o).columns, K(o).rows, n.dark).toDataURL()), l = /* @__PURE__ */ F(() => 74 + K(o).columns * 12), u = /* @__PURE__ */ F(() => 74 + K(o).rows * 12), d = /* @__PURE__ */ F(() => K(a) && t.map.scale * (K(o).bytes[K(a)[0] * K(o).columns + K(a)[1]] / 255) ** 2);
	function f(e) {
		let { left: t, top: n, width: r, height: i } = e.currentTarget.getBoundingClientRect(), s = Math.floor(K(o).rows * (e.clientY - n) / i), c = Math.floor(K(o).columns * (e.clientX - t) / r);
		R(a, s >= 0 && s < K(o).rows && c >= 0 && c < K(o).columns ? [s, c] : null);
	}
	var p = es(), m = B(p), h = z(m);
	let g;
	var _ = z(h);
	Q(_, 17, () => ({ length: K(o).rows }), Gr, (e, t, r) => {
		var i = Zo();
		$(i, "x", 69), $(i, "y", 74 + (r + .5) * 12);
		var o = V(i, !0);
		U((e) => {
			$(i, "fill", K(a)?.[0] === r ? n.colours.ink : n.colours.quiet), $(i, "font-weight", K(a)?.[0] === r ? 700 : 400), X(o, e);
		}, [() => xa(K(s)[r] ?? "", 12)]), Y(e, i);
	});
	var v = H(_);
	Q(v, 17, () => ({ length: K(o).columns }), Gr, (e, t, r) => {
		var i = Qo();
		$(i, "transform", `translate(${74 + (r + .5) * 12} 69) rotate(-90)`);
		var o = V(i, !0);
		U((e) => {
			$(i, "fill", K(a)?.[1] === r ? n.colours.ink : n.colours.quiet), $(i, "font-weight", K(a)?.[1] === r ? 700 : 400), X(o, e);
		}, [() => xa(K(s)[r] ?? "", 12)]), Y(e, i);
	});
	var y = H(v);
	$(y, "x", 74), $(y, "y", 74), di(y, "", {}, { "image-rendering": "pixelated" });
	var b = H(y);
	$(b, "x", 74), $(b, "y", 74), A(h), Ai(h, (e) => R(i, e), () => K(i));
	var x = H(h, 2), S = z(x), C = (e) => {
		var t = $o(), n = B(t), r = V(n, !0), i = H(n, 2), o = V(i, !0), c = H(i);
		U((e) => {
			X(r, K(s)[K(a)[0]]), X(o, K(s)[K(a)[1]]), X(c, `: ${e ?? ""}`);
		}, [() => K(d).toFixed(3)]), Y(e, t);
	}, w = (e) => {
		var n = Mr();
		U((e) => X(n, `Rows attend to columns; the strongest square is ${e ?? ""}.`), [() => t.map.scale.toFixed(2)]), Y(e, n);
	};
	Z(S, (e) => {
		K(a) && K(d) !== null ? e(C) : e(w, -1);
	}), A(x), A(m), Lo(H(m, 2), {
		get picture() {
			return K(i);
		},
		get name() {
			return t.name;
		}
	}), U(() => {
		$(h, "viewBox", `0 0 ${K(l) ?? ""} ${K(u) ?? ""}`), g = di(h, "", g, { "max-width": `${K(l) ?? ""}px` }), $(y, "href", K(c)), $(y, "width", K(o).columns * 12), $(y, "height", K(o).rows * 12), $(b, "width", K(o).columns * 12), $(b, "height", K(o).rows * 12), $(b, "stroke", n.colours.edge);
	}), q("pointermove", y, f), xr("pointerleave", y, () => R(a, null)), Y(e, p), P();
}
Sr(["pointermove"]);
//#endregion
//#region src/report/Measured.svelte
var ns = /* @__PURE__ */ J("<span class=\"measured\" tabindex=\"0\"> </span><sup class=\"note\"> </sup>", 1);
function rs(e, t) {
	N(t, !0);
	let n = Fi(t, "error", 3, !0), { book: r } = M("report"), i = /* @__PURE__ */ F(() => r.document.statistics[t.statistic]);
	var a = ns(), o = B(a), s = V(o, !0), c = V(H(o), !0);
	U((e) => {
		$(o, "data-tells", `statistic ${t.statistic ?? ""} ${t.head ?? ""}`), X(s, e), X(c, t.statistic + 1);
	}, [() => $i(K(i), K(i).values[t.head], n() ? K(i).stderr[t.head] : null)]), Y(e, a), P();
}
//#endregion
//#region src/report/Strip.svelte
var is = /* @__PURE__ */ jr("<path stroke-dasharray=\"2 2\"></path>"), as = /* @__PURE__ */ jr("<path stroke-width=\"1.5\"></path>"), os = /* @__PURE__ */ jr("<circle cy=\"11\" r=\"5\" stroke-width=\"1.5\"></circle>"), ss = /* @__PURE__ */ jr("<svg class=\"strip\" aria-hidden=\"true\"><path></path><path stroke-opacity=\"0.35\"></path><!><!><!></svg>");
function cs(e, t) {
	N(t, !0);
	let n = M("report"), { book: r } = n, [i, a] = [200, 22], o = /* @__PURE__ */ F(() => r.document.statistics[t.statistic]), s = /* @__PURE__ */ F(() => r.domain(t.statistic)), c = /* @__PURE__ */ F(() => (e) => 6 + (i - 12) * (e - K(s)[0]) / (K(s)[1] - K(s)[0])), l = r.document.heads.kind, u = /* @__PURE__ */ F(() => K(o).values.map((e, n) => e === null || l[n] !== l[t.head] ? "" : `M${K(c)(e).toFixed(1)} 6V16`).join("")), d = /* @__PURE__ */ F(() => K(o).chances?.[t.head] ?? K(o).baseline ?? null);
	var f = ss(), p = z(f), m = H(p), h = H(m), g = (e) => {
		var t = is();
		U((e) => {
			$(t, "d", `M${e ?? ""} 3V19`), $(t, "stroke", n.colours.quiet);
		}, [() => K(c)(0)]), Y(e, t);
	};
	Z(h, (e) => {
		K(s)[0] < 0 && e(g);
	});
	var _ = H(h), v = (e) => {
		var t = as();
		U((e) => {
			$(t, "d", `M${e ?? ""} 2V20`), $(t, "stroke", n.colours.negative);
		}, [() => K(c)(K(d))]), Y(e, t);
	};
	Z(_, (e) => {
		K(d) !== null && K(d) <= K(s)[1] && e(v);
	});
	var y = H(_), b = (e) => {
		var r = os();
		U((e) => {
			$(r, "cx", e), $(r, "fill", n.colours.accent), $(r, "stroke", n.colours.page);
		}, [() => K(c)(K(o).values[t.head])]), Y(e, r);
	};
	Z(y, (e) => {
		K(o).values[t.head] !== null && e(b);
	}), A(f), U(() => {
		$(f, "viewBox", `0 0 ${i ?? ""} ${a ?? ""}`), $(f, "width", i), $(f, "height", a), $(p, "d", `M6 16H${i - 6}`), $(p, "stroke", n.colours.edge), $(m, "d", K(u)), $(m, "stroke", n.colours.quiet);
	}), Y(e, f), P();
}
//#endregion
//#region src/report/TokenShares.svelte
var ls = /* @__PURE__ */ J("<tr><th scope=\"row\" class=\"svelte-1pi8sfn\"><bdi class=\"svelte-1pi8sfn\"> </bdi></th><td class=\"bar svelte-1pi8sfn\"><svg viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" aria-hidden=\"true\" class=\"svelte-1pi8sfn\"><rect y=\"1\" height=\"8\" rx=\"1\" fill-opacity=\"0.55\"></rect><rect width=\"1.2\" height=\"10\"></rect></svg></td><td class=\"svelte-1pi8sfn\"> </td><td class=\"quiet svelte-1pi8sfn\"> </td></tr>"), us = /* @__PURE__ */ J("<button type=\"button\" class=\"more\"> </button>"), ds = /* @__PURE__ */ J("<div><h3> </h3> <table class=\"svelte-1pi8sfn\"><thead class=\"svelte-1pi8sfn\"><tr><th scope=\"col\" class=\"svelte-1pi8sfn\">token</th><td class=\"svelte-1pi8sfn\"></td><th scope=\"col\" class=\"svelte-1pi8sfn\">here</th><th scope=\"col\" class=\"svelte-1pi8sfn\">in the text</th></tr></thead><tbody></tbody></table> <!></div>");
function fs(e, t) {
	N(t, !0);
	let n = M("report"), r = /* @__PURE__ */ L(!1), i = /* @__PURE__ */ F(() => Math.max(...t.counts.shares, ...t.counts.common, Number.MIN_VALUE)), a = /* @__PURE__ */ F(() => [...t.counts.tokens.keys()].slice(0, K(r) ? void 0 : 12)), o = (e) => `${(100 * e).toFixed(1)} %`;
	var s = ds(), c = z(s), l = V(c, !0), u = H(c, 2), d = H(z(u));
	Q(d, 20, () => K(a), (e) => e, (e, r) => {
		var a = ls(), s = z(a), c = V(z(s), !0);
		A(s);
		var l = H(s), u = z(l), d = z(u), f = H(d);
		A(u), A(l);
		var p = H(l), m = V(p, !0), h = V(H(p), !0);
		A(a), U((e, a, o) => {
			X(c, t.counts.tokens[r]), $(d, "width", 100 * t.counts.shares[r] / K(i)), $(d, "fill", n.colours.accent), $(f, "x", e), $(f, "fill", n.colours.negative), X(m, a), X(h, o);
		}, [
			() => Math.max(0, 100 * t.counts.common[r] / K(i) - .6),
			() => o(t.counts.shares[r]),
			() => o(t.counts.common[r])
		]), Y(e, a);
	}), A(d), A(u);
	var f = H(u, 2), p = (e) => {
		var n = us(), i = V(n);
		U(() => X(i, `${t.counts.tokens.length - 12} more`)), q("click", n, () => R(r, !0)), Y(e, n);
	};
	Z(f, (e) => {
		t.counts.tokens.length > 12 && !K(r) && e(p);
	}), A(s), U(() => X(l, t.title)), Y(e, s), P();
}
Sr(["click"]);
//#endregion
//#region src/report/Card.svelte
var ps = /* @__PURE__ */ J("<tr><th scope=\"row\"> </th><td class=\"picture\"><!></td><td class=\"value\"><!></td><td class=\"rank\"> </td></tr>"), ms = /* @__PURE__ */ J(" <sup class=\"note\"> </sup>", 1), hs = /* @__PURE__ */ J("<p class=\"dense svelte-vnj2f8\"><!>.</p>"), gs = /* @__PURE__ */ J("<table class=\"strips\"><tbody></tbody></table>"), _s = /* @__PURE__ */ J("<details class=\"svelte-vnj2f8\"><summary class=\"svelte-vnj2f8\"> <small> </small></summary> <!></details>"), vs = /* @__PURE__ */ J("<a rel=\"prev\"> </a>"), ys = /* @__PURE__ */ J("<a rel=\"next\"> </a>"), bs = /* @__PURE__ */ J("<nav class=\"near svelte-vnj2f8\" aria-label=\"Heads beside it\"><!> <!></nav>"), xs = /* @__PURE__ */ J("<p class=\"svelte-vnj2f8\"><!></p>"), Ss = /* @__PURE__ */ J("<small class=\"sure svelte-vnj2f8\"> </small>"), Cs = /* @__PURE__ */ J("<small class=\"svelte-vnj2f8\">else <bdi> </bdi> </small>"), ws = /* @__PURE__ */ J("<div><dt class=\"svelte-vnj2f8\"> </dt> <dd class=\"svelte-vnj2f8\"><span tabindex=\"0\"><i class=\"svelte-vnj2f8\"></i><bdi> </bdi><!></span><sup class=\"note\"> </sup> <!></dd></div>"), Ts = /* @__PURE__ */ J("<dl class=\"named svelte-vnj2f8\"></dl>"), Es = /* @__PURE__ */ J("<div class=\"where svelte-vnj2f8\"><!></div>"), Ds = /* @__PURE__ */ J("<section><h2>Examples</h2> <!></section>"), Os = /* @__PURE__ */ J("<section><h2>Tokens</h2> <div class=\"two svelte-vnj2f8\"><!> <!></div> <p class=\"quiet\">The bar is the token's share here; the line is its share of the text.</p></section>"), ks = /* @__PURE__ */ J("<section class=\"svelte-vnj2f8\"><h2>A typical map</h2> <!></section>"), As = /* @__PURE__ */ J("<i class=\"svelte-vnj2f8\"></i><bdi> </bdi>", 1), js = /* @__PURE__ */ J("<li class=\"svelte-vnj2f8\"><a> </a> <span><!></span> <span class=\"measured\"> </span></li>"), Ms = /* @__PURE__ */ J("<section class=\"svelte-vnj2f8\"><h2>Heads most like it</h2> <ul class=\"alike svelte-vnj2f8\"></ul> <p class=\"quiet\">Jensen-Shannon divergence, 0 for heads that do the same<!>.</p></section>"), Ns = /* @__PURE__ */ J("<div class=\"two ending svelte-vnj2f8\"><!> <!></div>"), Ps = /* @__PURE__ */ J("<section><h2>Everything else that was measured</h2> <!></section>"), Fs = /* @__PURE__ */ J("<a>See it in a text</a>"), Is = /* @__PURE__ */ J("<p class=\"tools svelte-vnj2f8\"><!> <button type=\"button\">Card as SVG</button> <button type=\"button\">PNG</button> <button type=\"button\">Markdown</button> <button type=\"button\">JSON</button> <button type=\"button\">Print, or save as PDF</button></p>"), Ls = /* @__PURE__ */ J("<article><header class=\"svelte-vnj2f8\"><div><p class=\"over svelte-vnj2f8\"> </p> <h1 tabindex=\"-1\" class=\"svelte-vnj2f8\"> </h1></div> <!></header> <div class=\"lead svelte-vnj2f8\"><div class=\"sentences svelte-vnj2f8\"><!> <!></div> <!></div> <section><h2>Where it looks</h2> <p class=\"quiet legend svelte-vnj2f8\">A tick is a head, the dot is this one<!>.</p> <table class=\"strips\"><tbody></tbody></table> <!></section> <!> <!> <!> <!> <!> <!></article>");
function Rs(e, t) {
	N(t, !0);
	let n = (e, n = d) => {
		var r = ps(), i = z(r), a = V(i, !0), c = H(i);
		cs(z(c), {
			get statistic() {
				return n();
			},
			get head() {
				return t.head;
			}
		}), A(c);
		var l = H(c);
		rs(z(l), {
			get statistic() {
				return n();
			},
			get head() {
				return t.head;
			}
		}), A(l);
		var u = V(H(l), !0);
		A(r), U((e) => {
			$(i, "data-tells", `statistic ${n() ?? ""} ${t.head ?? ""}`), X(a, s[n()].title), X(u, e);
		}, [() => o.rankText(n(), t.head)]), Y(e, r);
	}, r = (e, r = d, a = d) => {
		var o = _s(), c = z(o), l = z(c), u = V(H(l), !0);
		A(c);
		var f = H(c, 2), p = (e) => {
			var n = hs();
			Q(z(n), 18, a, (e) => e, (e, n, r) => {
				we();
				var i = ms(), a = B(i), o = V(H(a), !0);
				U((e) => {
					X(a, `${K(r) ? "; " : ""}${s[n].title ?? ""} ${e ?? ""}`), X(o, n + 1);
				}, [() => $i(s[n], s[n].values[t.head], s[n].stderr[t.head])]), Y(e, i);
			}), we(), A(n), Y(e, n);
		}, m = (e) => {
			var t = gs(), r = z(t);
			Q(r, 20, a, (e) => e, (e, t) => {
				n(e, () => t);
			}), A(r), A(t), Y(e, t);
		};
		Z(f, (e) => {
			i() ? e(p) : ee[r()] && e(m, 1);
		}), A(o), U(() => {
			o.open = i() || ee[r()] || void 0, X(l, `${r() ?? ""} `), X(u, a().length);
		}), xr("toggle", o, (e) => ee[r()] = e.currentTarget.open), Y(e, o);
	}, i = Fi(t, "printed", 3, !1), a = M("report"), { book: o } = a, { statistics: s, names: c, model: l, heads: u, cards: f, chapters: p, made: m } = o.document, g = /* @__PURE__ */ F(() => f[t.head]), _ = /* @__PURE__ */ F(() => o.address(t.head)), v = /* @__PURE__ */ F(() => l.grids.find(({ kind: e }) => e === u.kind[t.head])), y = /* @__PURE__ */ F(() => [...s.keys()].filter((e) => s[e].values[t.head] !== null)), b = /* @__PURE__ */ F(() => K(y).filter((e) => s[e].overview)), x = {
		surface: "More on where it looks",
		pattern: "Patterns and shapes",
		link: "All relations",
		gradient: "Gradients",
		distance: "Distance from other heads",
		weight: "Weights",
		effect: "Effects"
	}, S = /* @__PURE__ */ F(() => K(y).filter((e) => !K(b).includes(e) && s[e].name !== "pattern_null" && !(s[e].family === "effect" && K(g).effects.length > 0))), C = /* @__PURE__ */ F(() => [...new Set(K(S).map((e) => s[e].family))].map((e) => ({
		family: e,
		title: x[e] ?? e,
		members: K(S).filter((t) => s[t].family === e)
	}))), w = /* @__PURE__ */ F(() => c.flatMap((e) => {
		let n = o.name(e, t.head), r = e.second[t.head] === null ? null : e.choices[e.second[t.head]];
		return n ? [{
			each: e,
			choice: n,
			second: r
		}] : [];
	})), ee = Yt({}), te = (e) => e === null ? "" : `${Math.round(100 * e)} %`, ne = /* @__PURE__ */ F(() => `attlas-head-${K(_)}`), re = /* @__PURE__ */ F(() => Object.entries({
		kind: "head",
		attention: u.kind[t.head],
		layer: u.layer[t.head],
		heads: [u.head[t.head]]
	}).map(([e, t]) => `${e}=${encodeURIComponent(JSON.stringify(t))}`).join("&")), ie = () => yo(o, t.head, a.colours);
	var T = Ls();
	let E;
	var ae = z(T), oe = z(ae), se = z(oe), ce = V(se), le = H(se, 2), ue = V(le);
	A(oe);
	var de = H(oe, 2), fe = (e) => {
		var n = bs(), r = z(n), i = (e) => {
			var n = vs(), r = V(n);
			U((e, t) => {
				$(n, "href", e), X(r, `← ${t ?? ""}`);
			}, [() => a.link(t.head - 1), () => o.address(t.head - 1)]), Y(e, n);
		};
		Z(r, (e) => {
			t.head > 0 && e(i);
		});
		var s = H(r, 2), c = (e) => {
			var n = ys(), r = V(n);
			U((e, t) => {
				$(n, "href", e), X(r, `${t ?? ""} →`);
			}, [() => a.link(t.head + 1), () => o.address(t.head + 1)]), Y(e, n);
		};
		Z(s, (e) => {
			t.head + 1 < o.count && e(c);
		}), A(n), Y(e, n);
	};
	Z(de, (e) => {
		i() || e(fe);
	}), A(ae);
	var pe = H(ae, 2), me = z(pe), he = z(me);
	Q(he, 17, () => K(g).sentences, Gr, (e, t, n) => {
		var r = xs();
		Ga(z(r), {
			get sentence() {
				return K(t);
			},
			get about() {
				return K(g).tells[n];
			}
		}), A(r), Y(e, r);
	});
	var D = H(he, 2), ge = (e) => {
		var n = Ts();
		Q(n, 21, () => K(w), ({ each: e, choice: t, second: n }) => e.kind, (e, n) => {
			let r = () => K(n).each, i = () => K(n).choice, o = () => K(n).second;
			var s = ws(), c = z(s), l = V(c, !0), u = H(c, 2), d = z(u), f = z(d);
			let p;
			var m = H(f), h = V(m, !0), g = H(m), _ = (e) => {
				var n = Ss(), i = V(n);
				U((e) => X(i, `${e ?? ""} sure`), [() => te(r().confidence[t.head])]), Y(e, n);
			};
			Z(g, (e) => {
				r().confidence[t.head] !== null && i().name !== "none" && e(_);
			}), A(d);
			var v = H(d), y = V(v, !0), b = H(v, 2), x = (e) => {
				var n = Cs(), i = H(z(n)), a = V(i, !0), s = H(i);
				A(n), U((e) => {
					X(a, o().title), X(s, ` ${e ?? ""}`);
				}, [() => te(r().second_confidence[t.head])]), Y(e, n);
			};
			Z(b, (e) => {
				o() && (r().second_confidence[t.head] ?? 0) >= .05 && e(x);
			}), A(u), A(s), U((e) => {
				X(l, r().title), $(d, "data-tells", `chapter ${r().chapter ?? ""}`), p = di(f, "", p, { background: a.dark ? i().dark : i().light }), X(h, i().title), X(y, e);
			}, [() => ma(r().chapter)]), Y(e, s);
		}), A(n), Y(e, n);
	};
	Z(D, (e) => {
		K(w).length > 0 && e(ge);
	}), A(me);
	var _e = H(me, 2), ve = (e) => {
		var n = Es();
		Wo(z(n), {
			get grid() {
				return K(v);
			},
			get chosen() {
				return t.head;
			},
			small: !0
		}), A(n), Y(e, n);
	};
	Z(_e, (e) => {
		i() || e(ve);
	}), A(pe);
	var ye = H(pe, 2), be = H(z(ye), 2), O = H(z(be)), xe = (e) => {
		Y(e, Mr("; the orange line is chance or a baseline"));
	}, k = /* @__PURE__ */ F(() => s.some(({ chances: e, baseline: t }) => e || t !== void 0));
	Z(O, (e) => {
		K(k) && e(xe);
	}), we(), A(be);
	var Se = H(be, 2), Ce = z(Se);
	Q(Ce, 20, () => K(b), (e) => e, (e, t) => {
		n(e, () => t);
	}), A(Ce), A(Se), Q(H(Se, 2), 17, () => K(C).filter(({ family: e }) => e === "surface"), ({ title: e, members: t }) => e, (e, t) => {
		r(e, () => K(t).title, () => K(t).members);
	}), A(ye);
	var Te = H(ye, 2);
	po(Te, { get card() {
		return K(g);
	} });
	var Ee = H(Te, 2), De = (e) => {
		var t = Ds();
		Fo(H(z(t), 2), { get examples() {
			return K(g).examples;
		} }), A(t), Y(e, t);
	};
	Z(Ee, (e) => {
		K(g).examples.kind.length > 0 && e(De);
	});
	var Oe = H(Ee, 2), ke = (e) => {
		var t = Os(), n = H(z(t), 2), r = z(n), i = (e) => {
			fs(e, {
				title: "It looks from",
				get counts() {
					return K(g).looks_from;
				}
			});
		};
		Z(r, (e) => {
			K(g).looks_from && e(i);
		});
		var a = H(r, 2), o = (e) => {
			fs(e, {
				title: "It looks at",
				get counts() {
					return K(g).looks_at;
				}
			});
		};
		Z(a, (e) => {
			K(g).looks_at && e(o);
		}), A(n), we(2), A(t), Y(e, t);
	};
	Z(Oe, (e) => {
		(K(g).looks_from || K(g).looks_at) && e(ke);
	});
	var Ae = H(Oe, 2), je = (e) => {
		var t = Ns(), n = z(t), r = (e) => {
			var t = ks();
			ts(H(z(t), 2), {
				get map() {
					return K(g).map;
				},
				get name() {
					return `head-${K(_) ?? ""}`;
				}
			}), A(t), Y(e, t);
		};
		Z(n, (e) => {
			K(g).map && e(r);
		});
		var i = H(n, 2), s = (e) => {
			var t = Ms(), n = H(z(t), 2);
			Q(n, 21, () => K(g).alike, ([e, t]) => e, (e, t) => {
				var n = /* @__PURE__ */ F(() => h(K(t), 2));
				let r = () => K(n)[0], i = () => K(n)[1], s = /* @__PURE__ */ F(() => o.calledFirst(r()));
				var c = js(), l = z(c), u = V(l, !0), d = H(l, 2), f = z(d), p = (e) => {
					var t = As(), n = B(t);
					let r;
					var i = V(H(n), !0);
					U(() => {
						r = di(n, "", r, { background: a.dark ? K(s).dark : K(s).light }), X(i, K(s).title);
					}), Y(e, t);
				};
				Z(f, (e) => {
					K(s) && e(p);
				}), A(d);
				var m = H(d, 2), _ = V(m);
				A(c), U((e, t, n) => {
					$(l, "href", e), $(l, "data-tells", `head ${r() ?? ""}`), X(u, t), $(m, "data-tells", `chapter ${K(g).alike_chapter ?? 0 ?? ""}`), X(_, `${n ?? ""} nats`);
				}, [
					() => a.link(r()),
					() => o.address(r()),
					() => ia(i())
				]), Y(e, c);
			}), A(n);
			var r = H(n, 2), i = H(z(r)), s = (e) => {
				var t = Mr();
				U((e) => X(t, `: ${e ?? ""}`), [() => p[K(g).alike_chapter].title.toLowerCase()]), Y(e, t);
			};
			Z(i, (e) => {
				K(g).alike_chapter !== null && e(s);
			}), we(), A(r), A(t), Y(e, t);
		};
		Z(i, (e) => {
			K(g).alike.length > 0 && e(s);
		}), A(t), Y(e, t);
	};
	Z(Ae, (e) => {
		(K(g).map || K(g).alike.length > 0) && e(je);
	});
	var Me = H(Ae, 2), Ne = (e) => {
		var t = Ps();
		Q(H(z(t), 2), 17, () => K(C).filter(({ family: e }) => e !== "surface"), ({ title: e, members: t }) => e, (e, t) => {
			r(e, () => K(t).title, () => K(t).members);
		}), A(t), Y(e, t);
	}, Pe = /* @__PURE__ */ F(() => K(C).some(({ family: e }) => e !== "surface"));
	Z(Me, (e) => {
		K(Pe) && e(Ne);
	});
	var Fe = H(Me, 2), Ie = (e) => {
		var n = Is(), r = z(n), i = (e) => {
			var t = Fs();
			U(() => $(t, "href", `${m.view ?? ""}#${K(re) ?? ""}`)), Y(e, t);
		};
		Z(r, (e) => {
			m.view && e(i);
		});
		var a = H(r, 2), s = H(a, 2), c = H(s, 2), l = H(c, 2), u = H(l, 2);
		A(n), q("click", a, () => Sa(new Blob([ie().text], { type: "image/svg+xml" }), `head-${K(_)}.svg`)), q("click", s, async () => Sa(await Ea(ie()), `head-${K(_)}.png`)), q("click", c, () => Sa(new Blob([ka(o, t.head)], { type: "text/markdown" }), `head-${K(_)}.md`)), q("click", l, () => Sa(new Blob([JSON.stringify(o.cardData(t.head))], { type: "application/json" }), `head-${K(_)}.json`)), q("click", u, () => window.print()), Y(e, n);
	};
	Z(Fe, (e) => {
		i() || e(Ie);
	}), A(T), U(() => {
		$(T, "aria-labelledby", K(ne)), E = li(T, 1, "svelte-vnj2f8", null, E, { printed: i() }), X(ce, `${l.grids.length > 1 ? `${u.kind[t.head]} · ` : ""}layer ${u.layer[t.head] ?? ""}, head ${u.head[t.head] ?? ""}`), $(le, "id", K(ne)), X(ue, `Head ${K(_) ?? ""}`);
	}), Y(e, T), P();
}
Sr(["click"]);
//#endregion
//#region src/report/CardInBrief.svelte
var zs = /* @__PURE__ */ J("<small class=\"svelte-nr5jux\"> </small>"), Bs = /* @__PURE__ */ J(" <!>", 1), Vs = /* @__PURE__ */ J("<span class=\"svelte-nr5jux\"> <sup class=\"note\"> </sup></span>"), Hs = /* @__PURE__ */ J("<ul class=\"svelte-nr5jux\"></ul>"), Us = /* @__PURE__ */ J("<article class=\"svelte-nr5jux\"><h3 class=\"svelte-nr5jux\"> <!></h3> <p class=\"svelte-nr5jux\"></p> <p class=\"numbers svelte-nr5jux\"><!><!><!></p> <!></article>");
function Ws(e, t) {
	N(t, !0);
	let { book: n } = M("report"), { statistics: r, names: i, cards: a } = n.document, o = /* @__PURE__ */ F(() => a[t.head]), s = /* @__PURE__ */ F(() => [...r.keys()].filter((e) => r[e].overview && r[e].values[t.head] !== null)), c = /* @__PURE__ */ F(() => i.flatMap((e) => n.name(e, t.head) && n.name(e, t.head).name !== "none" ? [n.name(e, t.head).title] : [])), l = /* @__PURE__ */ F(() => ["strongest", "step"].flatMap((e) => K(o).examples.kind.findIndex((t, n) => t === e && (e !== "step" || K(o).examples.step[n] === 2))).filter((e) => e >= 0));
	var u = Us(), d = z(u), f = z(d), p = H(f), m = (e) => {
		var t = zs(), n = V(t, !0);
		U((e) => X(n, e), [() => K(c).join(" · ")]), Y(e, t);
	};
	Z(p, (e) => {
		K(c).length > 0 && e(m);
	}), A(d);
	var h = H(d, 2);
	Q(h, 21, () => K(o).sentences, Gr, (e, t, n) => {
		we();
		var r = Bs(), i = B(r, !0);
		i.nodeValue = n ? " " : "", Ga(H(i), {
			get sentence() {
				return K(t);
			},
			get about() {
				return K(o).tells[n];
			}
		}), Y(e, r);
	}), A(h);
	var g = H(h, 2), _ = z(g);
	Q(_, 16, () => K(s), (e) => e, (e, n) => {
		var i = Vs(), a = z(i), o = V(H(a), !0);
		A(i), U((e) => {
			X(a, `${r[n].short ?? ""} ${e ?? ""}`), X(o, n + 1);
		}, [() => $i(r[n], r[n].values[t.head])]), Y(e, i);
	});
	var v = H(_);
	Q(v, 17, () => K(o).relations.slice(1, 3), Gr, (e, t) => {
		var n = Vs(), r = z(n), i = V(H(r), !0);
		A(n), U((e, n) => {
			X(r, `${K(t).title ?? ""} ${e ?? ""}`), X(i, n);
		}, [() => la(K(t).value, K(t).low, K(t).high), () => ma(K(t).chapter)]), Y(e, n);
	}), Q(H(v), 17, () => K(o).effects, Gr, (e, t) => {
		var n = Vs(), r = z(n), i = V(H(r), !0);
		A(n), U((e, n) => {
			X(r, `${K(t).score ?? ""} ${e ?? ""}`), X(i, n);
		}, [() => sa(K(t).change), () => ma(K(t).chapter)]), Y(e, n);
	}), A(g);
	var y = H(g, 2), b = (e) => {
		var t = Hs();
		Q(t, 20, () => K(l), (e) => e, (e, t) => {
			Ao(e, {
				get examples() {
					return K(o).examples;
				},
				get at() {
					return t;
				}
			});
		}), A(t), Y(e, t);
	};
	Z(y, (e) => {
		K(l).length > 0 && e(b);
	}), A(u), U((e) => X(f, `Head ${e ?? ""}`), [() => n.address(t.head)]), Y(e, u), P();
}
//#endregion
//#region src/report/conditions.ts
var Gs = /^([^\s:<>=]+)(>=|<=|:|>|<|=)(.+)$/, Ks = () => !1;
function qs(e, t) {
	let n = [], r = [];
	for (let i of e.trim().split(/\s+/).filter(Boolean)) {
		let e = Gs.exec(i);
		e ? r.push(Js(i, e[1].toLowerCase(), e[2], e[3], t)) : n.push(i);
	}
	return {
		words: n.join(" "),
		conditions: r
	};
}
function Js(e, t, n, r, i) {
	let a = (t, n = null) => ({
		written: e,
		problem: "",
		holds: t,
		statistic: n
	}), o = (t) => ({
		written: e,
		problem: t,
		holds: Ks,
		statistic: null
	}), { heads: s } = i.document;
	if (t === "layer" || t === "head") {
		if (t === "head" && /\./.test(r)) return a((e) => s.address[e] === r);
		let e = Ys(n, r);
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
	let u = Ys(n, r);
	if (!u) return o(`write ${t}>0.1, ${t}<0.1 or ${t}:0.1-0.2`);
	let { values: d } = i.document.statistics[l];
	return a((e) => d[e] !== null && u(d[e]), l);
}
function Ys(e, t) {
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
function Xs(e, t, n = 8) {
	let r = /\S*$/.exec(e)[0].toLowerCase();
	if (!r) return [];
	let i = r.includes(":") ? Zs(r, t) : Qs(t), a = i.filter((e) => e.text.toLowerCase().startsWith(r) && e.text.toLowerCase() !== r), o = i.filter((e) => !a.includes(e) && r.length > 2 && e.text.toLowerCase() !== r && `${e.text} ${e.about}`.toLowerCase().includes(r));
	return [...a, ...o].slice(0, n);
}
function Zs(e, t) {
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
function Qs(e) {
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
//#endregion
//#region src/report/FinderBox.svelte
var $s = /* @__PURE__ */ J("<li role=\"option\" class=\"svelte-1oli9vr\"><bdi> </bdi> <span class=\"svelte-1oli9vr\"> </span></li>"), ec = /* @__PURE__ */ J("<ul id=\"attlas-offered\" role=\"listbox\" aria-label=\"Completions\" class=\"svelte-1oli9vr\"></ul>"), tc = /* @__PURE__ */ J("<div class=\"finder svelte-1oli9vr\" role=\"search\"><input type=\"search\" placeholder=\"Find heads: object, previous token, pattern:induction, layer:3-5 …\" aria-label=\"Find heads by words or conditions\" role=\"combobox\" aria-controls=\"attlas-offered\" aria-autocomplete=\"list\" autocomplete=\"off\" spellcheck=\"false\" class=\"svelte-1oli9vr\"/> <!></div>");
function nc(e, t) {
	N(t, !0);
	let n = M("report"), r, i = /* @__PURE__ */ L(!1), a = /* @__PURE__ */ L(-1), o = /* @__PURE__ */ F(() => n.route.head ? "" : n.route.find), s = /* @__PURE__ */ F(() => K(i) ? Xs(K(o), n.book) : []);
	function c(e) {
		let t = !n.route.find || n.route.head;
		n.go({
			head: "",
			find: e,
			...n.route.head ? { sort: "" } : {}
		}, t ? "push" : "replace");
	}
	async function l(e) {
		c(K(o).replace(/\S*$/, e) + (/[:>]$/.test(e) ? "" : " ")), R(a, -1), R(i, /[:>]$/.test(e), !0), await lr(), r.focus();
	}
	function u(e) {
		if (e.key === "ArrowDown" || e.key === "ArrowUp") {
			if (K(s).length === 0) return;
			e.preventDefault(), R(a, (K(a) + (e.key === "ArrowDown" ? 1 : -1) + K(s).length + 1) % (K(s).length + 1)), K(a) === K(s).length && R(a, -1);
		} else e.key === "Enter" && K(a) >= 0 && K(s)[K(a)] || e.key === "Tab" && K(a) >= 0 && K(s)[K(a)] ? (e.preventDefault(), l(K(s)[K(a)].text)) : e.key === "Escape" && (K(s).length > 0 ? R(i, !1) : c(""));
	}
	function d(e) {
		e.key !== "/" || e.target instanceof HTMLInputElement || e.target instanceof HTMLSelectElement || (e.preventDefault(), r.focus());
	}
	var f = tc();
	xr("keydown", Qt, d);
	var p = z(f);
	Si(p), Ai(p, (e) => r = e, () => r);
	var m = H(p, 2), h = (e) => {
		var t = ec();
		Q(t, 23, () => K(s), ({ text: e, about: t }) => e, (e, t, n) => {
			let r = () => K(t).text, i = () => K(t).about;
			var o = $s(), s = z(o), c = V(s, !0), u = V(H(s, 2), !0);
			A(o), U(() => {
				$(o, "id", `attlas-offered-${K(n) ?? ""}`), $(o, "aria-selected", K(n) === K(a)), X(c, r()), X(u, i());
			}), q("pointerdown", o, (e) => e.preventDefault()), q("click", o, () => l(r())), Y(e, o);
		}), A(t), Y(e, t);
	};
	Z(m, (e) => {
		K(s).length > 0 && e(h);
	}), A(f), U(() => {
		Ci(p, K(o)), $(p, "aria-expanded", K(s).length > 0), $(p, "aria-activedescendant", K(a) >= 0 ? `attlas-offered-${K(a)}` : void 0);
	}), q("input", p, (e) => {
		c(e.currentTarget.value), R(i, !0), R(a, -1);
	}), xr("blur", p, () => R(i, !1)), q("keydown", p, u), Y(e, f), P();
}
Sr([
	"input",
	"keydown",
	"pointerdown",
	"click"
]);
//#endregion
//#region src/report/Command.svelte
var rc = /* @__PURE__ */ J("<span class=\"command svelte-ehi4xr\"><code class=\"svelte-ehi4xr\"> </code> <button type=\"button\" aria-label=\"Copy the command\"> </button></span>");
function ic(e, t) {
	let n = /* @__PURE__ */ L(!1);
	async function r() {
		await navigator.clipboard.writeText(t.command), R(n, !0), setTimeout(() => R(n, !1), 2e3);
	}
	var i = rc(), a = z(i), o = V(a, !0), s = H(a, 2), c = V(s, !0);
	A(i), U(() => {
		X(o, t.command), X(c, K(n) ? "copied" : "copy");
	}), q("click", s, r), Y(e, i);
}
Sr(["click"]);
//#endregion
//#region src/report/Origins.svelte
var ac = /* @__PURE__ */ J("<li class=\"svelte-1fvkphp\"> <!></li>"), oc = /* @__PURE__ */ J("<section aria-labelledby=\"attlas-missing\"><h2 id=\"attlas-missing\">Not measured</h2> <ul class=\"missing svelte-1fvkphp\"></ul></section>"), sc = /* @__PURE__ */ J("from <bdi> </bdi>", 1), cc = /* @__PURE__ */ J("<span class=\"letter svelte-1fvkphp\"> </span>"), lc = /* @__PURE__ */ J("<p class=\"quiet svelte-1fvkphp\"> </p>"), uc = /* @__PURE__ */ J("<div class=\"chapter svelte-1fvkphp\"><h3><!> </h3> <p class=\"svelte-1fvkphp\"> </p> <!> <!> <details><summary class=\"svelte-1fvkphp\">Settings and versions</summary> <p class=\"settings svelte-1fvkphp\"> </p></details></div>"), dc = /* @__PURE__ */ J("<span class=\"svelte-1fvkphp\"><sup> </sup> <strong class=\"svelte-1fvkphp\"> </strong> <code class=\"svelte-1fvkphp\"> </code></span>"), fc = /* @__PURE__ */ J("<li class=\"svelte-1fvkphp\"><!><br/> </li>"), pc = /* @__PURE__ */ J("<!> <section aria-labelledby=\"attlas-origins\"><h2 id=\"attlas-origins\">Where it comes from</h2> <p class=\"svelte-1fvkphp\"><bdi> </bdi> <code class=\"svelte-1fvkphp\"> </code>, configuration <code class=\"svelte-1fvkphp\"> </code> <!>. To make it again:</p> <!> <!></section> <section aria-labelledby=\"attlas-definitions\"><h2 id=\"attlas-definitions\">How each number was measured</h2> <details><summary class=\"svelte-1fvkphp\"> </summary> <ol class=\"definitions svelte-1fvkphp\"></ol></details></section> <p class=\"tools svelte-1fvkphp\"><button type=\"button\">Everything as JSON</button> <button type=\"button\">Print everything, or save as PDF</button></p>", 1);
function mc(e, t) {
	N(t, !0);
	let n = M("report"), { book: r } = n, { chapters: i, made: a, model: o, missing: s, statistics: c } = r.document, l = d(), u = /* @__PURE__ */ F(() => n.printing !== "");
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
	var f = pc(), p = B(f), m = (e) => {
		var t = oc(), n = H(z(t), 2);
		Q(n, 21, () => s, ({ what: e, why: t, command: n }) => e, (e, t) => {
			let n = () => K(t).what, r = () => K(t).why, i = () => K(t).command;
			var a = ac(), o = z(a);
			ic(H(o), { get command() {
				return i();
			} }), A(a), U(() => X(o, `${n() ?? ""}${r() ? `: ${r()}` : ""}`)), Y(e, a);
		}), A(n), A(t), Y(e, t);
	};
	Z(p, (e) => {
		s.length > 0 && e(m);
	});
	var h = H(p, 2), g = H(z(h), 2), _ = z(g), v = V(_, !0), y = H(_), b = H(y), x = V(b, !0), S = H(b, 2), C = V(S, !0), w = H(S), ee = H(w), te = (e) => {
		var t = sc(), n = V(H(B(t)), !0);
		U(() => X(n, a.atlas)), Y(e, t);
	};
	Z(ee, (e) => {
		a.atlas && e(te);
	}), we(), A(g);
	var ne = H(g, 2);
	ic(ne, { get command() {
		return a.command;
	} }), Q(H(ne, 2), 19, () => i, (e) => e.name, (e, t, n) => {
		var i = uc(), a = z(i), o = z(a), s = (e) => {
			var t = cc(), r = V(t, !0);
			U((e) => X(r, e), [() => ma(K(n))]), Y(e, t);
		};
		Z(o, (e) => {
			K(u) && e(s);
		});
		var c = H(o, 1, !0);
		A(a);
		var l = H(a, 2), d = V(l), f = H(l, 2);
		Q(f, 17, () => K(t).notes, Gr, (e, t) => {
			var n = lc(), r = V(n, !0);
			U(() => X(r, K(t))), Y(e, n);
		});
		var p = H(f, 2);
		ic(p, { get command() {
			return K(t).command;
		} });
		var m = H(p, 2), h = V(H(z(m), 2), !0);
		A(m), A(i), U((e, n, r) => {
			$(i, "id", `chapter-${K(t).name ?? ""}`), X(c, K(t).title), X(d, `${e ?? ""}. ${K(t).when ?? ""}${n ?? ""}.`), m.open = K(u) || void 0, X(h, r);
		}, [
			() => r.read(K(n)),
			() => K(t).seconds === null ? "" : `, ${Math.round(K(t).seconds)} s`,
			() => Object.entries({
				...K(t).settings,
				...K(t).software
			}).map(([e, t]) => `${e} ${t}`).join(" · ")
		]), Y(e, i);
	}), A(h);
	var re = H(h, 2), ie = H(z(re), 2), T = z(ie), E = V(T, !0), ae = H(T, 2);
	Q(ae, 21, () => l, ({ note: e, members: t }) => t[0], (e, t) => {
		let n = () => K(t).note, r = () => K(t).members;
		var i = fc(), a = z(i);
		Q(a, 16, r, (e) => e, (e, t) => {
			var n = dc(), r = z(n), i = V(r, !0), a = H(r, 2), o = V(a, !0), s = V(H(a, 2), !0);
			A(n), U(() => {
				X(i, t + 1), X(o, c[t].title), X(s, c[t].key);
			}), Y(e, n);
		});
		var o = H(a, 2, !0);
		A(i), U(() => X(o, n())), Y(e, i);
	}), A(ae), A(ie), A(re);
	var oe = H(re, 2), se = z(oe), ce = H(se, 2);
	A(oe), U((e, t, n) => {
		X(v, o.name), X(y, `, ${o.type ?? ""}, ${o.dtype ?? ""}. Weights `), X(x, e), X(C, t), X(w, `. The page was made by Attlas ${a.attlas ?? ""} on ${a.when ?? ""} `), ie.open = K(u) || void 0, X(E, n);
	}, [
		() => o.weights.slice(0, 16),
		() => o.config.slice(0, 16),
		() => da(c.length, "statistic")
	]), q("click", se, () => Sa(new Blob([JSON.stringify(r.document)], { type: "application/json" }), `${o.title.replace(/[^\w.-]+/g, "-")}-report.json`)), q("click", ce, () => window.print()), Y(e, f), P();
}
Sr(["click"]);
//#endregion
//#region src/report/Choice.svelte
var hc = /* @__PURE__ */ J("<option>Likeness, as a map</option>"), gc = /* @__PURE__ */ J("<option> </option>"), _c = /* @__PURE__ */ J("<optgroup label=\"Names\"></optgroup>"), vc = /* @__PURE__ */ J("<optgroup></optgroup>"), yc = /* @__PURE__ */ J("<label class=\"choice svelte-gvvuan\"><span> </span> <select class=\"svelte-gvvuan\"><!><!><!></select></label>");
function bc(e, t) {
	N(t, !0);
	let n = Fi(t, "names", 3, !1), r = Fi(t, "plane", 3, !1), { document: i } = M("report").book, a = {
		surface: "Where it looks",
		pattern: "Patterns and shapes",
		link: "Relations of grammar",
		effect: "Disabling",
		gradient: "Gradients",
		distance: "Likeness",
		weight: "Weights"
	}, o = [...new Set(i.statistics.map(({ family: e }) => e))];
	var s = yc(), c = z(s), l = V(c, !0), u = H(c, 2), d = z(u), f = (e) => {
		var t = hc();
		t.value = t.__value = "plane", Y(e, t);
	};
	Z(d, (e) => {
		r() && e(f);
	});
	var p = H(d), m = (e) => {
		var t = _c();
		Q(t, 21, () => i.names, ({ kind: e, title: t }) => e, (e, t) => {
			let n = () => K(t).kind, r = () => K(t).title;
			var i = gc(), a = V(i, !0), o = {};
			U(() => {
				X(a, r()), o !== (o = n()) && (i.value = (i.__value = o) ?? "");
			}), Y(e, i);
		}), A(t), Y(e, t);
	};
	Z(p, (e) => {
		n() && i.names.length > 0 && e(m);
	}), Q(H(p), 16, () => o, (e) => e, (e, t) => {
		var n = vc();
		Q(n, 21, () => i.statistics.filter((e) => e.family === t), ({ key: e, title: t }) => e, (e, t) => {
			let n = () => K(t).key, r = () => K(t).title;
			var i = gc(), a = V(i, !0), o = {};
			U(() => {
				X(a, r()), o !== (o = n()) && (i.value = (i.__value = o) ?? "");
			}), Y(e, i);
		}), A(n), U(() => $(n, "label", a[t] ?? t)), Y(e, n);
	}), A(u);
	var h;
	hi(u), A(s), U(() => {
		X(l, t.label), h !== (h = t.value) && (u.value = (u.__value = h) ?? "", mi(u, h));
	}), q("change", u, (e) => t.onchoose(e.currentTarget.value)), Y(e, s), P();
}
//#endregion
//#region node_modules/svelte/src/internal/flags/legacy.js
Sr(["change"]), Ue();
//#endregion
//#region src/report/Layers.svelte
var xc = /* @__PURE__ */ J("<small class=\"svelte-tp15s0\"> </small>"), Sc = /* @__PURE__ */ jr("<circle><title> </title></circle>"), Cc = /* @__PURE__ */ J("<figure class=\"svelte-tp15s0\"><figcaption class=\"svelte-tp15s0\"><span tabindex=\"0\"> </span><sup class=\"note\"> </sup><!></figcaption> <svg role=\"img\" class=\"svelte-tp15s0\"><path></path><path fill-opacity=\"0.14\"></path><path fill=\"none\" stroke-width=\"2\" stroke-linejoin=\"round\"></path><!></svg> <p class=\"svelte-tp15s0\"><span>0</span><span> </span><span> </span></p></figure>"), wc = /* @__PURE__ */ J("<div class=\"multiples svelte-tp15s0\"></div> <p class=\"quiet svelte-tp15s0\">Each line is the mean over the heads of a layer; the band is one standard error of that mean.</p>", 1);
function Tc(e, t) {
	N(t, !1);
	let n = M("report"), { book: r } = n, { layers: i, statistics: a, model: o } = r.document, [s, c] = [240, 76], l = i.filter(({ means: e }) => new Set(e.filter((e) => e !== null)).size > 1);
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
	var d = wc(), f = B(d);
	Q(f, 5, () => l, Gr, (e, t) => {
		let r = /* @__PURE__ */ mt(() => u(K(t))), i = /* @__PURE__ */ mt(() => a[K(t).statistic]);
		var l = Cc(), d = z(l), f = z(d), p = V(f, !0), m = H(f), h = V(m, !0), g = H(m), _ = (e) => {
			var n = xc(), r = V(n, !0);
			U(() => X(r, K(t).kind)), Y(e, n);
		};
		Z(g, (e) => {
			o.grids.length > 1 && e(_);
		}), A(d);
		var v = H(d, 2), y = z(v), b = H(y), x = H(b);
		Q(H(x), 1, () => K(r).known, ({ layer: e, mean: t }) => e, (e, t) => {
			let a = () => K(t).layer, o = () => K(t).mean;
			var s = Sc(), c = V(z(s));
			A(s), U((e, t, i) => {
				$(s, "cx", e), $(s, "cy", t), $(s, "r", a() === K(r).top.layer || a() === K(r).low.layer ? 3.5 : 1.5), $(s, "fill", n.colours.accent), X(c, `layer ${a() ?? ""}: ${i ?? ""}`);
			}, [
				() => K(r).x(a()),
				() => K(r).y(o()),
				() => $i(K(i), o())
			]), Y(e, s);
		}), A(v);
		var S = H(v, 2), C = H(z(S)), w = V(C), ee = V(H(C), !0);
		A(S), A(l), U((e) => {
			$(f, "data-tells", `statistic ${K(t).statistic ?? ""}`), X(p, K(i).title), X(h, K(t).statistic + 1), $(v, "viewBox", `0 0 ${s ?? ""} ${c ?? ""}`), $(v, "aria-label", `${K(i).title ?? ""}: largest in layer ${K(r).top.layer ?? ""}, smallest in layer ${K(r).low.layer ?? ""}`), $(y, "d", `M8 ${K(r).zero ?? ""}H${s - 8}`), $(y, "stroke", n.colours.edge), $(b, "d", K(r).band), $(b, "fill", n.colours.accent), $(x, "d", K(r).line), $(x, "stroke", n.colours.accent), X(w, `most in layer ${K(r).top.layer ?? ""}: ${e ?? ""}${K(i).unit === "share" ? "\xA0%" : ""}`), X(ee, K(t).means.length - 1);
		}, [() => ta(K(i), K(r).top.mean)]), Y(e, l);
	}), A(f), we(2), Y(e, d), P();
}
//#endregion
//#region src/report/Legend.svelte
var Ec = /* @__PURE__ */ J("<button type=\"button\" class=\"svelte-1bnyow1\"><i class=\"svelte-1bnyow1\"></i></button>"), Dc = /* @__PURE__ */ J("<div class=\"bars svelte-1bnyow1\" role=\"group\"></div> <div class=\"ends svelte-1bnyow1\"><span> </span><span> </span></div>", 1), Oc = /* @__PURE__ */ J("<button type=\"button\" class=\"svelte-1bnyow1\"><i class=\"svelte-1bnyow1\"></i><bdi> </bdi> <span class=\"svelte-1bnyow1\"> </span></button>"), kc = /* @__PURE__ */ J("<p class=\"rules svelte-1bnyow1\"> </p>"), Ac = /* @__PURE__ */ J("<div class=\"names svelte-1bnyow1\" role=\"group\" aria-label=\"Heads by name\"></div> <!>", 1);
function jc(e, t) {
	N(t, !0);
	let n = M("report"), { book: r } = n, i = (e) => n.go({ only: n.only === e ? "" : e }), a = /* @__PURE__ */ F(() => Math.max(1, ...n.bars.map(({ heads: e }) => e))), o = /* @__PURE__ */ F(() => typeof n.colouring == "number" ? r.document.statistics[n.colouring] : null), s = /* @__PURE__ */ F(() => {
		if (typeof n.colouring == "number") return [];
		let { choices: e, heads: t } = n.colouring;
		return e.map((e, n) => ({
			choice: e,
			heads: t.filter((e) => e === n).length
		})).filter(({ heads: e }) => e > 0);
	});
	var c = Nr(), l = B(c), u = (e) => {
		var t = Dc(), r = B(t);
		Q(r, 21, () => n.bars, Gr, (e, t, r) => {
			let s = () => K(t).from, c = () => K(t).to, l = () => K(t).heads, u = () => K(t).colour;
			var d = Ec(), f = z(d);
			let p;
			A(d), U((e, t, n, r, i, o, s) => {
				d.disabled = l() === 0, $(d, "aria-pressed", e), $(d, "aria-label", `${t ?? ""} from ${n ?? ""} to ${r ?? ""}`), $(d, "title", `${i ?? ""} from ${o ?? ""} to ${s ?? ""}`), p = di(f, "", p, {
					height: `${l() === 0 ? 2 : 6 + 42 * l() / K(a)}px`,
					background: u()
				});
			}, [
				() => n.only === String(r),
				() => da(l(), "head"),
				() => $i(K(o), s()),
				() => $i(K(o), c()),
				() => da(l(), "head"),
				() => $i(K(o), s()),
				() => $i(K(o), c())
			]), q("click", d, () => i(String(r))), Y(e, d);
		}), A(r);
		var s = H(r, 2), c = z(s), l = V(c, !0), u = V(H(c), !0);
		A(s), U((e, t) => {
			$(r, "aria-label", `Heads by ${K(o).title ?? ""}`), X(l, e), X(u, t);
		}, [() => $i(K(o), n.domain[0]), () => $i(K(o), n.domain[1])]), Y(e, t);
	}, d = (e) => {
		var t = Ac(), r = B(t);
		Q(r, 21, () => K(s), ({ choice: e, heads: t }) => e.name, (e, t) => {
			let r = () => K(t).choice, a = () => K(t).heads;
			var o = Oc(), s = z(o);
			let c;
			var l = H(s), u = V(l, !0), d = V(H(l, 2), !0);
			A(o), U(() => {
				$(o, "aria-pressed", n.only === r().name), $(o, "title", r().meaning), c = di(s, "", c, { background: n.dark ? r().dark : r().light }), X(u, r().title), X(d, a());
			}), q("click", o, () => i(r().name)), Y(e, o);
		}), A(r);
		var a = H(r, 2), o = (e) => {
			var t = kc(), r = V(t, !0);
			U(() => X(r, n.colouring.rules)), Y(e, t);
		};
		Z(a, (e) => {
			typeof n.colouring != "number" && n.colouring.rules && e(o);
		}), Y(e, t);
	};
	Z(l, (e) => {
		K(o) ? e(u) : e(d, -1);
	}), Y(e, c), P();
}
Sr(["click"]);
//#endregion
//#region src/report/scatter.ts
function Mc(e, t, n = 4) {
	let r = (t - e) / n, i = 10 ** Math.floor(Math.log10(r)), a = [
		1,
		2,
		5,
		10
	].map((e) => e * i).find((e) => e >= r), o = Math.ceil(e / a - 1e-9), s = Math.floor(t / a + 1e-9);
	return Array.from({ length: Math.max(0, s - o + 1) }, (e, t) => (o + t) * a);
}
function Nc(e, t, n, r, i = 16, a = 0) {
	let o = (e) => [...e].sort((e, t) => e - t)[e.length >> 1] ?? 0, [s, c] = [o(e.map(({ x: e }) => e)), o(e.map(({ y: e }) => e))], l = ({ x: e, y: t }) => ((e - s) / n) ** 2 + ((t - c) / r) ** 2, u = [], d = [];
	for (let r of [...e].sort((e, t) => l(t) - l(e))) {
		if (d.length >= i) break;
		for (let i of t(r.head)) {
			let t = 6.1 * i.length, o = ["start", "end"].map((e) => {
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
			}).find(({ box: t }) => t[0] >= a && t[2] <= n && !u.some((e) => Pc(t, e)) && e.filter(({ x: e, y: n }) => e > t[0] - 4 && e < t[2] + 4 && n > t[1] - 2 && n < t[3] + 2).length === 0);
			if (o) {
				u.push(o.box), d.push({
					...r,
					text: i,
					anchor: o.anchor
				});
				break;
			}
		}
	}
	return d;
}
function Pc(e, t) {
	return e[0] < t[2] && t[0] < e[2] && e[1] < t[3] && t[1] < e[3];
}
//#endregion
//#region src/report/Scatter.svelte
var Fc = /* @__PURE__ */ jr("<path stroke-opacity=\"0.5\"></path><text text-anchor=\"middle\" font-size=\"12\"> </text>", 1), Ic = /* @__PURE__ */ jr("<path stroke-opacity=\"0.5\"></path><text text-anchor=\"end\" dominant-baseline=\"central\" font-size=\"12\"> </text>", 1), Lc = /* @__PURE__ */ jr("<!><!><text text-anchor=\"end\" font-size=\"12\"> </text><text font-size=\"12\"> </text>", 1), Rc = /* @__PURE__ */ jr("<text font-size=\"12\">Heads that do the same lie near each other; the axes mean nothing by themselves.</text>"), zc = /* @__PURE__ */ jr("<a tabindex=\"-1\"><circle></circle></a>"), Bc = /* @__PURE__ */ jr("<text dominant-baseline=\"central\" font-size=\"11\" pointer-events=\"none\"> </text>"), Vc = /* @__PURE__ */ J("<div class=\"choices svelte-sdt1t4\"><!> <!></div> <div class=\"room\"><svg role=\"group\" class=\"svelte-sdt1t4\"><!><!><!></svg></div> <!>", 1);
function Hc(e, t) {
	N(t, !0);
	let n = M("report"), { book: r } = n, { statistics: i, heads: a } = r.document, o = /* @__PURE__ */ L(520), s = /* @__PURE__ */ L(void 0), [c, l, u, d] = [
		44,
		14,
		30,
		46
	], f = /* @__PURE__ */ F(() => Math.max(280, K(o))), p = (...e) => e.map((e) => r.named(e)).find((e) => e !== null) ?? null, m = p("entropy.all", "entropy") ?? 0, h = p("to_previous", "to_self") ?? Math.min(1, i.length - 1), g = /* @__PURE__ */ F(() => n.x === "plane" && a.plane !== null), _ = /* @__PURE__ */ F(() => r.named(n.x) ?? m), v = /* @__PURE__ */ F(() => r.named(n.y) ?? h), y = /* @__PURE__ */ F(() => {
		if (K(g)) {
			let e = a.plane.map(([e]) => e), t = a.plane.map(([, e]) => e);
			return {
				x: b(Math.min(...e), Math.max(...e)),
				y: b(Math.min(...t), Math.max(...t))
			};
		}
		return {
			x: b(...r.domain(K(_))),
			y: b(...r.domain(K(v)))
		};
	}), b = (e, t) => [e - .03 * (t - e), t + .03 * (t - e || 1)], x = /* @__PURE__ */ F(() => (e) => c + (K(f) - c - l) * (e - K(y).x[0]) / (K(y).x[1] - K(y).x[0])), S = /* @__PURE__ */ F(() => (e) => 400 - d - (400 - u - d) * (e - K(y).y[0]) / (K(y).y[1] - K(y).y[0])), C = /* @__PURE__ */ F(() => a.address.flatMap((e, t) => {
		let [n, r] = K(g) ? a.plane[t] : [i[K(_)].values[t], i[K(v)].values[t]];
		return n === null || r === null ? [] : [{
			head: t,
			x: K(x)(n),
			y: K(S)(r)
		}];
	})), w = /* @__PURE__ */ F(() => Nc(K(C).filter(({ head: e }) => n.stays(e)), (e) => {
		let t = r.calledFirst(e)?.title;
		return t ? [`${r.address(e)} ${t}`, r.address(e)] : [r.address(e)];
	}, K(f), 400, K(f) < 420 ? 8 : 14, c));
	var ee = Vc(), te = B(ee), ne = z(te);
	{
		let e = /* @__PURE__ */ F(() => K(g) ? "plane" : i[K(_)].key), t = /* @__PURE__ */ F(() => a.plane !== null);
		bc(ne, {
			label: "Across",
			get value() {
				return K(e);
			},
			get plane() {
				return K(t);
			},
			onchoose: (e) => n.go({ x: e })
		});
	}
	var re = H(ne, 2), ie = (e) => {
		bc(e, {
			label: "Up",
			get value() {
				return i[K(v)].key;
			},
			onchoose: (e) => n.go({ y: e })
		});
	};
	Z(re, (e) => {
		K(g) || e(ie);
	}), A(te);
	var T = H(te, 2), E = z(T), ae = z(E), oe = (e) => {
		let t = /* @__PURE__ */ F(() => Mc(...K(y).x, K(f) < 420 ? 3 : 5)), r = /* @__PURE__ */ F(() => Mc(...K(y).y, 4));
		var a = Lc(), o = B(a);
		Q(o, 18, () => K(t), (e) => e, (e, r, a) => {
			var o = Fc(), s = B(o), c = H(s), l = V(c, !0);
			U((e, t, r) => {
				$(s, "d", `M${e ?? ""} ${u ?? ""}V${400 - d}`), $(s, "stroke", n.colours.edge), $(c, "x", t), $(c, "y", 400 - d + 16), $(c, "fill", n.colours.quiet), X(l, r);
			}, [
				() => K(x)(r),
				() => K(x)(r),
				() => na(i[K(_)], K(t))[K(a)]
			]), Y(e, o);
		});
		var s = H(o);
		Q(s, 18, () => K(r), (e) => e, (e, t, a) => {
			var o = Ic(), s = B(o), u = H(s), d = V(u, !0);
			U((e, t, r) => {
				$(s, "d", `M${c ?? ""} ${e ?? ""}H${K(f) - l}`), $(s, "stroke", n.colours.edge), $(u, "x", c - 8), $(u, "y", t), $(u, "fill", n.colours.quiet), X(d, r);
			}, [
				() => K(S)(t),
				() => K(S)(t),
				() => na(i[K(v)], K(r))[K(a)]
			]), Y(e, o);
		});
		var p = H(s);
		$(p, "y", 394);
		var m = V(p), h = H(p);
		$(h, "x", 4), $(h, "y", 12);
		var g = V(h);
		U(() => {
			$(p, "x", K(f) - l), $(p, "fill", n.colours.ink), X(m, `${i[K(_)].title ?? ""}${i[K(_)].unit === "share" ? ", %" : ""} →`), $(h, "fill", n.colours.ink), X(g, `↑ ${i[K(v)].title ?? ""}${i[K(v)].unit === "share" ? ", %" : ""}`);
		}), Y(e, a);
	}, se = (e) => {
		var t = Rc();
		$(t, "y", 394), U(() => {
			$(t, "x", c), $(t, "fill", n.colours.quiet);
		}), Y(e, t);
	};
	Z(ae, (e) => {
		K(g) ? e(se, -1) : e(oe);
	});
	var ce = H(ae);
	Q(ce, 17, () => K(C), ({ head: e, x: t, y: n }) => e, (e, t) => {
		let i = () => K(t).head, a = () => K(t).x, o = () => K(t).y;
		var s = zc(), c = V(s);
		U((e, t, r, l) => {
			$(s, "href", e), $(s, "data-tells", `head ${i() ?? ""}`), $(s, "aria-label", `Head ${t ?? ""}`), $(c, "cx", a()), $(c, "cy", o()), $(c, "r", n.pointed === i() ? 8 : 5), $(c, "fill", r), $(c, "fill-opacity", l), $(c, "stroke", n.pointed === i() ? n.colours.ink : n.colours.page), $(c, "stroke-width", n.pointed === i() ? 2 : .75);
		}, [
			() => n.link(i()),
			() => r.address(i()),
			() => n.colour(i()),
			() => n.opacity(i())
		]), Y(e, s);
	}), Q(H(ce), 17, () => K(w), ({ head: e, x: t, y: n, text: r, anchor: i }) => e, (e, t) => {
		let r = () => K(t).x, i = () => K(t).y, a = () => K(t).text, o = () => K(t).anchor;
		var s = Bc(), c = V(s, !0);
		U(() => {
			$(s, "x", r() + (o() === "start" ? 8 : -8)), $(s, "y", i()), $(s, "text-anchor", o()), $(s, "fill", n.colours.ink), X(c, a());
		}), Y(e, s);
	}), A(E), Ai(E, (e) => R(s, e), () => K(s)), A(T), Lo(H(T, 2), {
		get picture() {
			return K(s);
		},
		name: "scatter"
	}), U(() => {
		$(E, "viewBox", `0 0 ${K(f) ?? ""} 400`), $(E, "aria-label", K(g) ? "Heads by how alike they are" : `Heads by ${i[K(_)].title} and ${i[K(v)].title}`), $(E, "font-family", n.printing ? "sans-serif" : void 0);
	}), Oi(T, "clientWidth", (e) => R(o, e)), Y(e, ee), P();
}
//#endregion
//#region src/report/Overview.svelte
var Uc = /* @__PURE__ */ J("<li class=\"svelte-5snfd7\"><!></li>"), Wc = /* @__PURE__ */ J("<section aria-labelledby=\"attlas-stands-out\" class=\"svelte-5snfd7\"><h2 id=\"attlas-stands-out\">What stands out</h2> <ul class=\"stands-out svelte-5snfd7\"></ul></section>"), Gc = /* @__PURE__ */ J("<span class=\"quiet\"> <button type=\"button\">Show all</button></span>"), Kc = /* @__PURE__ */ J("<h3> </h3>"), qc = /* @__PURE__ */ J("<!> <!>", 1), Jc = /* @__PURE__ */ J("<section aria-labelledby=\"attlas-apart\"><h2 id=\"attlas-apart\">Heads apart</h2> <!></section>"), Yc = /* @__PURE__ */ J("<section aria-labelledby=\"attlas-layers\"><h2 id=\"attlas-layers\">Layer by layer</h2> <!></section>"), Xc = /* @__PURE__ */ J("<header class=\"svelte-5snfd7\"><h1 tabindex=\"-1\" class=\"svelte-5snfd7\"><bdi> </bdi></h1> <p class=\"quiet svelte-5snfd7\"> </p></header> <div class=\"glance svelte-5snfd7\"><!> <section aria-labelledby=\"attlas-every\" class=\"svelte-5snfd7\"><h2 id=\"attlas-every\">Every head</h2> <div class=\"colouring svelte-5snfd7\"><!> <!></div> <div class=\"grids svelte-5snfd7\"></div> <!></section></div> <!> <!> <section aria-labelledby=\"attlas-table\"><h2 id=\"attlas-table\">In numbers</h2> <!></section> <!>", 1);
function Zc(e, t) {
	N(t, !0);
	let n = M("report"), { book: r } = n, { model: i, stands_out: a, stands_out_tells: o, layers: s, chapters: c, statistics: l } = r.document, u = [...Array(r.count).keys()], d = /* @__PURE__ */ F(() => u.filter((e) => n.stays(e))), f = /* @__PURE__ */ F(() => typeof n.colouring == "number" ? l[n.colouring].key : n.colouring.kind), p = i.grids.map(({ kind: e, layers: t, width: n }) => `${i.grids.length > 1 ? `${e} ` : ""}${t} × ${n}`).join(", ");
	var m = Xc(), h = B(m), g = z(h), _ = V(z(g), !0);
	A(g);
	var v = V(H(g, 2));
	A(h);
	var y = H(h, 2), b = z(y), x = (e) => {
		var t = Wc(), n = H(z(t), 2);
		Q(n, 21, () => a, Gr, (e, t, n) => {
			var r = Uc();
			Ga(z(r), {
				get sentence() {
					return K(t);
				},
				get about() {
					return o[n];
				}
			}), A(r), Y(e, r);
		}), A(n), A(t), Y(e, t);
	};
	Z(b, (e) => {
		a.length > 0 && e(x);
	});
	var S = H(b, 2), C = H(z(S), 2), w = z(C);
	bc(w, {
		label: "Colour by",
		names: !0,
		get value() {
			return K(f);
		},
		onchoose: (e) => n.go({
			colour: e,
			only: ""
		})
	});
	var ee = H(w, 2), te = (e) => {
		var t = Gc(), r = z(t), i = H(r);
		A(t), U((e) => X(r, `${e ?? ""} `), [() => da(K(d).length, "head")]), q("click", i, () => n.go({ only: "" })), Y(e, t);
	};
	Z(ee, (e) => {
		n.only && e(te);
	}), A(C);
	var ne = H(C, 2);
	Q(ne, 21, () => i.grids, (e) => e.kind, (e, t) => {
		var n = qc(), r = B(n), a = (e) => {
			var n = Kc(), r = V(n, !0);
			U(() => X(r, K(t).kind)), Y(e, n);
		};
		Z(r, (e) => {
			i.grids.length > 1 && e(a);
		}), Wo(H(r, 2), {
			get grid() {
				return K(t);
			},
			saved: !0
		}), Y(e, n);
	}), A(ne), jc(H(ne, 2), {}), A(S), A(y);
	var re = H(y, 2), ie = (e) => {
		var t = Jc();
		Hc(H(z(t), 2), {}), A(t), Y(e, t);
	};
	Z(re, (e) => {
		l.length > 1 && r.count > 1 && e(ie);
	});
	var T = H(re, 2), E = (e) => {
		var t = Yc();
		Tc(H(z(t), 2), {}), A(t), Y(e, t);
	}, ae = /* @__PURE__ */ F(() => s.some(({ means: e }) => e.length > 1));
	Z(T, (e) => {
		K(ae) && e(E);
	});
	var oe = H(T, 2);
	Ba(H(z(oe), 2), {
		get heads() {
			return K(d);
		},
		first: 12
	}), A(oe), mc(H(oe, 2), {}), U((e, t) => {
		X(_, i.title), X(v, `${e ?? ""} (${p ?? ""}) · ${i.type ?? ""} · ${t ?? ""} of measurements`);
	}, [() => da(r.count, "head"), () => da(c.length, "chapter")]), Y(e, m), P();
}
Sr(["click"]);
//#endregion
//#region src/report/telling.ts
function Qc(e, t) {
	let [n, ...r] = e.split(" "), [i, a] = r.map(Number);
	if (n === "head") return {
		title: `Head ${t.address(i)}`,
		lines: [$c(t.sentences(i))]
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
var $c = (e, t = 260) => e.length > t ? `${e.slice(0, t)}…` : e, el = /* @__PURE__ */ J("<p class=\"svelte-1xz505z\"> </p>"), tl = /* @__PURE__ */ J("<div class=\"tip svelte-1xz505z\" role=\"tooltip\"><strong><bdi> </bdi></strong> <!></div>");
function nl(e, t) {
	N(t, !0);
	let n = Fi(t, "state", 7), r = /* @__PURE__ */ L(null), i = /* @__PURE__ */ L(void 0), a = /* @__PURE__ */ L({
		x: 0,
		y: 0
	}), o = /* @__PURE__ */ F(() => K(r) && Qc(K(r).getAttribute("data-tells"), n().book)), s = (e) => e.target?.closest?.("[data-tells]") ?? null;
	vn(() => {
		if (!t.root) return;
		let e = (e) => e.pointerType === "mouse" && R(r, s(e)), n = (e) => R(r, e.target.matches(":focus-visible") ? s(e) : K(r)), i = (e) => {
			let t = s(e);
			t?.closest("a, button") || R(r, t);
		}, a = () => {
			let e = K(r);
			queueMicrotask(() => K(r) === e && R(r, null));
		}, o = (e) => e.key === "Escape" && a();
		return t.root.addEventListener("pointerover", e), t.root.addEventListener("pointerleave", a), t.root.addEventListener("focusin", n), t.root.addEventListener("focusout", a), t.root.addEventListener("click", i), t.root.addEventListener("keydown", o), window.addEventListener("scroll", a, { passive: !0 }), window.addEventListener("hashchange", a), () => {
			t.root.removeEventListener("pointerover", e), t.root.removeEventListener("pointerleave", a), t.root.removeEventListener("focusin", n), t.root.removeEventListener("focusout", a), t.root.removeEventListener("click", i), t.root.removeEventListener("keydown", o), window.removeEventListener("scroll", a), window.removeEventListener("hashchange", a);
		};
	}), vn(() => {
		if (!K(r) || !K(i)) return;
		let [e, t] = [K(r).getBoundingClientRect(), K(i).getBoundingClientRect()], n = Math.max(8, Math.min(e.left + e.width / 2 - t.width / 2, document.documentElement.clientWidth - t.width - 8)), o = e.top - t.height - 8 > 0 ? e.top - t.height - 8 : e.bottom + 8;
		R(a, {
			x: n,
			y: o
		});
	}), vn(() => {
		let e = K(r)?.getAttribute("data-tells") ?? "";
		n().pointed = e.startsWith("head ") ? Number(e.slice(5)) : null;
	});
	var c = Nr(), l = B(c), u = (e) => {
		var t = tl();
		let n;
		var r = z(t), s = V(z(r), !0);
		A(r), Q(H(r, 2), 17, () => K(o).lines, Gr, (e, t) => {
			var n = el(), r = V(n, !0);
			U(() => X(r, K(t))), Y(e, n);
		}), A(t), Ai(t, (e) => R(i, e), () => K(i)), U(() => {
			n = di(t, "", n, {
				left: `${K(a).x ?? ""}px`,
				top: `${K(a).y ?? ""}px`
			}), X(s, K(o).title);
		}), Y(e, t);
	};
	Z(l, (e) => {
		K(o) && e(u);
	}), Y(e, c), P();
}
//#endregion
//#region src/report/Report.svelte
var rl = /* @__PURE__ */ J("<!> <!>", 1), il = /* @__PURE__ */ J("<h1 tabindex=\"-1\"> </h1> <p>The heads of <bdi> </bdi> </p>", 1), al = /* @__PURE__ */ J("<section aria-labelledby=\"attlas-briefly\"><h2 id=\"attlas-briefly\"> </h2> <!></section> <!>", 1), ol = /* @__PURE__ */ J("<div class=\"report svelte-1gwpscg\"><nav class=\"bar svelte-1gwpscg\" aria-label=\"Report\"><a class=\"home svelte-1gwpscg\"><!></a> <!></nav> <div class=\"body svelte-1gwpscg\"><div><!></div> <!> <!> <!></div> <!></div>");
function sl(e, t) {
	N(t, !0);
	let n = Fi(t, "state", 7);
	qe("report", n());
	let { book: r } = n(), { model: i } = r.document, a = /* @__PURE__ */ L(void 0), o = /* @__PURE__ */ F(() => n().route.head ? "card" : n().route.find ? "answers" : "overview"), s = /* @__PURE__ */ F(() => n().head === null ? i.title : `Head ${r.address(n().head)} · ${i.title}`), c = /* @__PURE__ */ F(() => K(o) === "answers" ? n().found.heads : [...Array(r.count).keys()]), l = /* @__PURE__ */ new Map();
	vn(() => {
		let e = matchMedia("(prefers-color-scheme: dark)"), t = () => !n().printing && (n().dark = e.matches);
		return e.addEventListener("change", t), () => e.removeEventListener("change", t);
	}), vn(() => {
		document.title = `${K(s)} · Attlas report`;
	}), vn(() => {
		history.scrollRestoration = "manual";
		let e = K(o), t = async () => {
			e !== "card" && l.set(e, window.scrollY), n().follow(location.hash), await lr();
			let t = K(o) !== "card" && e === "card";
			window.scrollTo(0, t ? l.get(K(o)) ?? 0 : 0), K(o) === "card" && K(a)?.querySelector("article h1")?.focus({ preventScroll: !0 }), e = K(o);
		};
		return window.addEventListener("hashchange", t), () => window.removeEventListener("hashchange", t);
	}), vn(() => {
		let e = () => {
			n().printing = K(o) === "card" ? "card" : "all", n().dark = !1, jt();
		}, t = () => {
			n().printing = "", n().dark = Vi("system");
		};
		return window.addEventListener("beforeprint", e), window.addEventListener("afterprint", t), () => {
			window.removeEventListener("beforeprint", e), window.removeEventListener("afterprint", t);
		};
	});
	function u(e) {
		vn(() => {
			for (let [t, r] of Object.entries(n().dark ? zi.dark : zi.light)) e.style.setProperty(`--${t}`, r);
			e.style.setProperty("--font", Bi), e.style.setProperty("color-scheme", n().dark ? "dark" : "light"), document.body.style.background = n().colours.page;
		});
	}
	var d = ol(), f = z(d), p = z(f), m = z(p), h = (e) => {
		Y(e, Mr("Attlas report"));
	}, g = (e) => {
		var t = Mr();
		U((e) => X(t, `← ${e ?? ""}`), [() => K(o) === "card" && n().back.includes("find=") ? "Answers" : "All heads"]), Y(e, t);
	};
	Z(m, (e) => {
		K(o) === "overview" ? e(h) : e(g, -1);
	}), A(p), nc(H(p, 2), {}), A(f);
	var _ = H(f, 2), v = z(_);
	Zc(z(v), {}), A(v);
	var y = H(v, 2), b = (e) => {
		$a(e, {});
	};
	Z(y, (e) => {
		K(o) === "answers" && e(b);
	});
	var x = H(y, 2), S = (e) => {
		var t = Nr(), a = B(t), o = (e) => {
			var t = rl(), r = B(t);
			Wr(r, () => n().head, (e) => {
				{
					let t = /* @__PURE__ */ F(() => n().printing === "card");
					Rs(e, {
						get head() {
							return n().head;
						},
						get printed() {
							return K(t);
						}
					});
				}
			});
			var i = H(r, 2), a = (e) => {
				mc(e, {});
			};
			Z(i, (e) => {
				n().printing === "card" && e(a);
			}), Y(e, t);
		}, s = (e) => {
			var t = il(), a = B(t), o = V(a), s = H(a, 2), c = H(z(s)), l = V(c, !0), u = H(c);
			A(s), U((e, t) => {
				X(o, `No head ${n().route.head ?? ""}`), X(l, i.title), X(u, ` are ${e ?? ""} to ${t ?? ""}.`);
			}, [() => r.address(0), () => r.address(r.count - 1)]), Y(e, t);
		};
		Z(a, (e) => {
			n().head === null ? e(s, -1) : e(o);
		}), Y(e, t);
	};
	Z(x, (e) => {
		K(o) === "card" && e(S);
	});
	var C = H(x, 2), w = (e) => {
		var t = al(), n = B(t), i = z(n), a = V(i);
		Q(H(i, 2), 16, () => K(c), (e) => e, (e, t) => {
			Ws(e, { get head() {
				return t;
			} });
		}), A(n);
		var s = H(n, 2), l = (e) => {
			mc(e, {});
		};
		Z(s, (e) => {
			K(o) === "answers" && e(l);
		}), U(() => X(a, `${K(c).length === r.count ? "Every head" : "The heads that were found"}, briefly`)), Y(e, t);
	};
	Z(C, (e) => {
		n().printing === "all" && e(w);
	}), A(_), nl(H(_, 2), {
		get state() {
			return n();
		},
		get root() {
			return K(a);
		}
	}), A(d), Ai(d, (e) => R(a, e), () => K(a)), ei(d, () => u), U(() => {
		$(d, "data-theme", n().dark ? "dark" : "light"), $(p, "href", K(o) === "overview" ? "#" : K(o) === "card" ? n().back : "#"), $(v, "hidden", K(o) !== "overview");
	}), Y(e, d), P();
}
var cl = "Nothing that Attlas measures has these words. Ask for places (previous, [SEP]), patterns (induction), relations (subject, object), shapes, breadth, or which heads matter.", ll = /(?<![\p{L}\p{N}_.])(?:(?:encoder|decoder|cross)\.)?\d+\.\d+(?![\p{L}\p{N}_.]*\d)/gu;
function ul(e, t) {
	let n = qs(e, t), r = (e) => n.conditions.every((t) => t.holds(e)), i = {
		missing: [],
		note: ""
	};
	if (!n.words) return {
		query: n,
		heads: [...Array(t.count).keys()].filter(r),
		answers: [],
		...i
	};
	let a = [...new Set(n.words.match(ll) ?? [])];
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
	let { heads: o, missing: s, asked: c } = t.matcher.answer(n.words, Infinity), l = o.length === 0 ? fl(c, t) : "", u = l || (o.length === 0 && s.length === 0 ? cl : ""), d = o.map(({ topic: e, rank: t }) => ({
		head: e.heads[t],
		sentences: [e.sentences[t]],
		tells: [dl(e, e.heads[t])],
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
var dl = ({ statistic: e, chapter: t }, n) => e === null ? `chapter ${t}` : `statistic ${e} ${n}`;
function fl(e, t) {
	let { heads: n, statistics: r } = t.document;
	if (e.has("next") && n.kind.every((e) => e === "decoder")) return "No head can: in a decoder, a token sees only those before it.";
	let i = (e, t) => r.some((n) => n.name === e && n.group === t);
	for (let [t, n] of [["sep", "[SEP]"], ["cls", "[CLS]"]]) if (e.has(t) && i("entropy", "all") && !i("to_class", t)) return `No head can: the model reads no ${n}.`;
	return "";
}
//#endregion
//#region src/report/route.ts
var pl = {
	head: "",
	find: "",
	sort: "",
	colour: "",
	only: "",
	x: "",
	y: ""
};
function ml(e) {
	return `#${Object.keys(pl).filter((t) => e[t]).map((t) => `${t}=${gl(e[t])}`).join("&")}`;
}
function hl(e) {
	let t = new URLSearchParams(e.replace(/^#/, "")), n = { ...pl };
	for (let e of Object.keys(pl)) n[e] = t.get(e) ?? "";
	return n;
}
var gl = (e) => encodeURIComponent(e).replaceAll("%20", "+").replaceAll("%3A", ":").replaceAll("%2C", ","), _l = 16, vl = class {
	book;
	#e = /* @__PURE__ */ L(!1);
	get dark() {
		return K(this.#e);
	}
	set dark(e) {
		R(this.#e, e, !0);
	}
	#t = /* @__PURE__ */ L(pl);
	get route() {
		return K(this.#t);
	}
	set route(e) {
		R(this.#t, e);
	}
	#n = /* @__PURE__ */ L("");
	get printing() {
		return K(this.#n);
	}
	set printing(e) {
		R(this.#n, e, !0);
	}
	#r = /* @__PURE__ */ L("#");
	get back() {
		return K(this.#r);
	}
	set back(e) {
		R(this.#r, e, !0);
	}
	#i = /* @__PURE__ */ L(null);
	get pointed() {
		return K(this.#i);
	}
	set pointed(e) {
		R(this.#i, e, !0);
	}
	#a = /* @__PURE__ */ F(() => this.dark ? zi.dark : zi.light);
	get colours() {
		return K(this.#a);
	}
	set colours(e) {
		R(this.#a, e);
	}
	#o = /* @__PURE__ */ F(() => this.route.find);
	get question() {
		return K(this.#o);
	}
	set question(e) {
		R(this.#o, e);
	}
	#s = /* @__PURE__ */ F(() => this.route.colour);
	get colourKey() {
		return K(this.#s);
	}
	set colourKey(e) {
		R(this.#s, e);
	}
	#c = /* @__PURE__ */ F(() => this.route.only);
	get only() {
		return K(this.#c);
	}
	set only(e) {
		R(this.#c, e);
	}
	#l = /* @__PURE__ */ F(() => this.route.x);
	get x() {
		return K(this.#l);
	}
	set x(e) {
		R(this.#l, e);
	}
	#u = /* @__PURE__ */ F(() => this.route.y);
	get y() {
		return K(this.#u);
	}
	set y(e) {
		R(this.#u, e);
	}
	#d = /* @__PURE__ */ F(() => this.route.sort);
	get sort() {
		return K(this.#d);
	}
	set sort(e) {
		R(this.#d, e);
	}
	#f = /* @__PURE__ */ F(() => this.route.head ? this.book.head(this.route.head) : null);
	get head() {
		return K(this.#f);
	}
	set head(e) {
		R(this.#f, e);
	}
	#p = /* @__PURE__ */ F(() => ul(this.question, this.book));
	get found() {
		return K(this.#p);
	}
	set found(e) {
		R(this.#p, e);
	}
	constructor(e) {
		this.book = e;
	}
	follow(e) {
		this.route = hl(e), this.route.head || (this.back = ml(this.route));
	}
	go(e, t = "replace") {
		let n = ml({
			...this.route,
			...e
		});
		try {
			t === "push" ? history.pushState(null, "", n) : history.replaceState(null, "", n);
		} catch {}
		this.follow(n);
	}
	link(e) {
		return ml({ head: this.book.address(e) });
	}
	#m = /* @__PURE__ */ F(() => {
		let { names: e } = this.book.document, t = e.find(({ kind: e }) => e === this.colourKey);
		if (t) return t;
		let n = this.book.named(this.colourKey);
		return this.colourKey && n !== null ? n : e.find(({ kind: e }) => e === "pattern") ?? e[0] ?? 0;
	});
	get colouring() {
		return K(this.#m);
	}
	set colouring(e) {
		R(this.#m, e);
	}
	#h = /* @__PURE__ */ F(() => typeof this.colouring == "number" ? this.book.domain(this.colouring) : [0, 1]);
	get domain() {
		return K(this.#h);
	}
	set domain(e) {
		R(this.#h, e);
	}
	#g = /* @__PURE__ */ F(() => {
		if (typeof this.colouring != "number") return [];
		let [e, t] = this.domain, n = (t - e) / _l, r = Array.from({ length: _l }, (t, r) => ({
			from: e + r * n,
			to: e + (r + 1) * n,
			heads: 0,
			colour: this.shade(e + (r + .5) * n)
		}));
		for (let e of this.book.document.statistics[this.colouring].values) e !== null && r[this.bar(e)].heads++;
		return r;
	});
	get bars() {
		return K(this.#g);
	}
	set bars(e) {
		R(this.#g, e);
	}
	bar(e) {
		let [t, n] = this.domain;
		return Math.max(0, Math.min(15, Math.floor(_l * (e - t) / (n - t))));
	}
	shade(e) {
		let [t, n] = this.domain;
		return t >= 0 ? Yo(this.dark, .04 + .86 * (e - t) / (n - t)) : Yo(this.dark, .5 + .45 * e / Math.max(-t, n, Number.MIN_VALUE), !0);
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
//#endregion
//#region src/report/main.ts
async function yl(e) {
	return Li(Ii(document.querySelector(`script[data-attlas="${e}"]`).textContent));
}
async function bl(e) {
	try {
		let [t, n] = await Promise.all([yl("report"), yl("data")]), r = JSON.parse(new TextDecoder().decode(t));
		ba(r, n.byteLength);
		let i = new vl(new _a(r, n));
		i.dark = Vi("system"), i.follow(location.hash), Rr(sl, {
			target: e,
			props: { state: i }
		}), jt(), performance.mark("attlas-drawn");
	} catch (t) {
		let n = document.createElement("p");
		throw n.setAttribute("role", "alert"), n.textContent = t instanceof Error ? t.message : String(t), e.replaceChildren(n), t;
	}
}
bl(document.getElementById("attlas"));
//#endregion
