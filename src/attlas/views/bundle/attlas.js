//#region node_modules/svelte/src/internal/shared/utils.js
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
function m(e, t) {
	if (Array.isArray(e)) return e;
	if (t === void 0 || !(Symbol.iterator in e)) return Array.from(e);
	let n = [];
	for (let r of e) if (n.push(r), n.length === t) break;
	return n;
}
//#endregion
//#region node_modules/svelte/src/internal/client/constants.js
var h = 1 << 24, g = 1024, _ = 2048, v = 4096, y = 8192, b = 16384, x = 32768, S = 1 << 25, C = 65536, w = 1 << 19, ee = 1 << 20, te = 1 << 25, ne = 1 << 21, re = 1 << 22, ie = 1 << 23, ae = Symbol("$state"), oe = Symbol("component"), se = Symbol("legacy props"), ce = Symbol(""), le = Symbol("attributes"), ue = Symbol("class"), de = Symbol("style"), fe = Symbol("text"), pe = Symbol("form reset"), me = new class extends Error {
	name = "StaleReactionError";
	message = "The reaction that called `getAbortSignal()` was re-run or destroyed";
}(), he = !!globalThis.document?.contentType && /* @__PURE__ */ globalThis.document.contentType.includes("xml"), ge = {}, T = Symbol("uninitialized"), _e = "http://www.w3.org/1999/xhtml", ve = "http://www.w3.org/2000/svg", ye = "http://www.w3.org/1998/Math/MathML";
function be() {
	console.warn("https://svelte.dev/e/derived_inert");
}
function xe(e) {
	console.warn("https://svelte.dev/e/hydration_mismatch");
}
function Se() {
	console.warn("https://svelte.dev/e/select_multiple_invalid_value");
}
function Ce() {
	console.warn("https://svelte.dev/e/svelte_boundary_reset_noop");
}
//#endregion
//#region node_modules/svelte/src/internal/client/dom/hydration.js
var E = !1;
function we(e) {
	E = e;
}
var D;
function Te(e) {
	if (e === null) throw xe(), ge;
	return D = e;
}
function Ee() {
	return Te(/* @__PURE__ */ hn(D));
}
function O(e) {
	if (E) {
		if (/* @__PURE__ */ hn(D) !== null) throw xe(), ge;
		D = e;
	}
}
function De(e = 1) {
	if (E) {
		for (var t = e, n = D; t--;) n = /* @__PURE__ */ hn(n);
		D = n;
	}
}
function Oe(e = !0) {
	for (var t = 0, n = D;;) {
		if (n.nodeType === 8) {
			var r = n.data;
			if (r === "]") {
				if (t === 0) return n;
				--t;
			} else (r === "[" || r === "[!" || r[0] === "[" && !isNaN(Number(r.slice(1)))) && (t += 1);
		}
		var i = /* @__PURE__ */ hn(n);
		e && n.remove(), n = i;
	}
}
function ke(e) {
	if (!e || e.nodeType !== 8) throw xe(), ge;
	return e.data;
}
//#endregion
//#region node_modules/svelte/src/internal/client/reactivity/equality.js
function Ae(e) {
	return e === this.v;
}
function je(e, t) {
	return e == e ? e !== t || typeof e == "object" && !!e || typeof e == "function" : t == t;
}
function Me(e) {
	return !je(e, this.v);
}
function Ne(e) {
	throw Error("https://svelte.dev/e/lifecycle_outside_component");
}
//#endregion
//#region node_modules/svelte/src/internal/client/errors.js
function Pe() {
	throw Error("https://svelte.dev/e/async_derived_orphan");
}
function Fe(e, t, n) {
	throw Error("https://svelte.dev/e/each_key_duplicate");
}
function Ie(e) {
	throw Error("https://svelte.dev/e/effect_in_teardown");
}
function Le() {
	throw Error("https://svelte.dev/e/effect_in_unowned_derived");
}
function Re(e) {
	throw Error("https://svelte.dev/e/effect_orphan");
}
function ze() {
	throw Error("https://svelte.dev/e/effect_update_depth_exceeded");
}
function Be(e) {
	throw Error("https://svelte.dev/e/props_invalid_value");
}
function Ve() {
	throw Error("https://svelte.dev/e/state_descriptors_fixed");
}
function He() {
	throw Error("https://svelte.dev/e/state_prototype_fixed");
}
function Ue() {
	throw Error("https://svelte.dev/e/state_unsafe_mutation");
}
function We() {
	throw Error("https://svelte.dev/e/svelte_boundary_reset_onerror");
}
//#endregion
//#region node_modules/svelte/src/internal/shared/clone.js
var Ge = [];
function Ke(e, t = !1, n = !1) {
	return qe(e, /* @__PURE__ */ new Map(), "", Ge, null, n);
}
function qe(t, n, r, i, a = null, o = !1) {
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
				d in t && (u[d] = qe(f, n, r, i, null, o));
			}
			return u;
		}
		if (l(t) === s) {
			u = {}, n.set(t, u), a !== null && n.set(a, u);
			for (var p of Object.keys(t)) u[p] = qe(t[p], n, r, i, null, o);
			return u;
		}
		if (t instanceof Date) return t.getTime(), structuredClone(t);
		if (typeof t.toJSON == "function" && !o) return qe(t.toJSON(), n, r, i, t);
	}
	if (t instanceof EventTarget) return t;
	try {
		return structuredClone(t);
	} catch {
		return t;
	}
}
//#endregion
//#region node_modules/svelte/src/internal/shared/context.js
function Je(e) {
	let t = e.p;
	for (; t !== null && t.c === null;) t = t.p;
	return t?.c ?? null;
}
function Ye(e, t) {
	return e === null && Ne(t), e.c ??= new Map(Je(e) || void 0);
}
//#endregion
//#region node_modules/svelte/src/internal/client/context.js
var Xe = null;
function Ze(e) {
	Xe = e;
}
function Qe(e) {
	return Ye(Xe, "getContext").get(e);
}
function $e(e, t) {
	return Ye(Xe, "setContext").set(e, t), t;
}
function k(e, t = !1, n) {
	Xe = {
		p: Xe,
		i: !1,
		c: null,
		e: null,
		s: e,
		x: null,
		r: H,
		l: null
	};
}
function A(e) {
	var t = Xe, n = t.e;
	if (n !== null) {
		t.e = null;
		for (var r of n) Dn(r);
	}
	return e !== void 0 && (t.x = e), t.i = !0, Xe = t.p, et(e);
}
function et(e = {}) {
	return i(e, oe, { value: !0 }), e;
}
function tt() {
	return !0;
}
//#endregion
//#region node_modules/svelte/src/internal/client/dom/task.js
var nt = [];
function rt() {
	var e = nt;
	nt = [], f(e);
}
function it(e) {
	if (nt.length === 0 && !Mt) {
		var t = nt;
		queueMicrotask(() => {
			t === nt && rt();
		});
	}
	nt.push(e);
}
function at() {
	for (; nt.length > 0;) rt();
}
//#endregion
//#region node_modules/svelte/src/internal/client/reactivity/status.js
var ot = ~(_ | v | g);
function st(e, t) {
	e.f = e.f & ot | t;
}
function ct(e) {
	e.f & 512 || e.deps === null ? st(e, g) : st(e, v);
}
//#endregion
//#region node_modules/svelte/src/internal/client/reactivity/utils.js
function lt(e, t) {
	e.f & 2048 ? t.set(e, _) : e.f & 4096 && t.get(e) !== 2048 && t.set(e, v), st(e, g);
}
//#endregion
//#region node_modules/svelte/src/internal/client/dom/elements/misc.js
function ut(e, t) {
	if (t) {
		let t = document.body;
		e.autofocus = !0, it(() => {
			document.activeElement === t && e.focus();
		});
	}
}
var dt = !1;
function ft() {
	dt || (dt = !0, document.addEventListener("reset", (e) => {
		Promise.resolve().then(() => {
			if (!e.defaultPrevented) for (let t of e.target.elements) t[pe]?.();
		});
	}, { capture: !0 }));
}
//#endregion
//#region node_modules/svelte/src/internal/client/dom/elements/bindings/shared.js
function pt(e) {
	var t = V, n = H;
	Zn(null), Qn(null);
	try {
		return e();
	} finally {
		Zn(t), Qn(n);
	}
}
function mt(e, t, n, r = n) {
	e.addEventListener(t, () => pt(n));
	let i = e[pe];
	e[pe] = i ? () => {
		i(), r(!0);
	} : () => r(!0), ft();
}
//#endregion
//#region node_modules/svelte/src/internal/client/reactivity/async.js
function ht(e, t, n, r) {
	let i = tt() ? yt : St;
	var a = e.filter((e) => !e.settled), o = t.map(i);
	if (n.length === 0 && a.length === 0) {
		r(o);
		return;
	}
	var s = H, c = gt(), l = a.length === 1 ? a[0].promise : a.length > 1 ? Promise.all(a.map((e) => e.promise)) : null;
	function u(e) {
		if (!(s.f & 16384)) {
			c();
			try {
				r([...o, ...e]);
			} catch (e) {
				xn(e, s);
			}
			_t();
		}
	}
	var d = vt();
	if (n.length === 0) {
		l.then(() => u([])).finally(d);
		return;
	}
	function f() {
		Promise.all(n.map((e) => /* @__PURE__ */ xt(e))).then(u).catch((e) => xn(e, s)).finally(d);
	}
	l ? l.then(() => {
		s.f & 16384 ? d() : (c(), f(), _t());
	}) : f();
}
function gt() {
	var e = H, t = V, n = Xe, r = M;
	return function(i = !0) {
		Qn(e), Zn(t), Ze(n), i && !(e.f & 16384) && (r?.activate(), r?.apply());
	};
}
function _t(e = !0) {
	Qn(null), Zn(null), Ze(null), e && M?.deactivate();
}
function vt() {
	var e = H, t = e.b, n = M, r = !!t?.is_rendered();
	return t?.update_pending_count(1, n), n.increment(r, e), () => {
		t?.update_pending_count(-1, n), n.decrement(r, e);
	};
}
/*#__NO_SIDE_EFFECTS__*/
function yt(e) {
	var t = 2 | _;
	return H !== null && (H.f |= w), {
		ctx: Xe,
		deps: null,
		effects: null,
		equals: Ae,
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
var bt = Symbol("obsolete");
/*#__NO_SIDE_EFFECTS__*/
function xt(e, t, n) {
	let r = H;
	r === null && Pe();
	var i = void 0, a = Yt(T), o = !V, s = /* @__PURE__ */ new Set();
	return jn(() => {
		var t = H, n = p();
		i = n.promise;
		try {
			Promise.resolve(e()).then(n.resolve, (e) => {
				e !== me && n.reject(e);
			}).finally(_t);
		} catch (e) {
			n.reject(e), _t();
		}
		var c = M;
		if (o) {
			if (t.f & 32768) var l = vt();
			if (r.b?.is_rendered()) c.async_deriveds.get(t)?.reject(bt);
			else for (let e of s.values()) e.reject(bt);
			s.add(n), c.async_deriveds.set(t, n);
		}
		let u = (e, t = void 0) => {
			l?.(), s.delete(n), t !== bt && (c.activate(), t ? (a.f |= ie, $t(a, t)) : (a.f & 8388608 && (a.f ^= ie), $t(a, e)), c.deactivate());
		};
		n.promise.then(u, (e) => u(null, e || "unknown"));
	}), En(() => {
		for (let e of s) e.reject(bt);
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
	let t = /* @__PURE__ */ yt(e);
	return er(t), t;
}
/*#__NO_SIDE_EFFECTS__*/
function St(e) {
	let t = /* @__PURE__ */ yt(e);
	return t.equals = Me, t;
}
function Ct(e) {
	var t = e.effects;
	if (t !== null) {
		e.effects = null;
		for (var n = 0; n < t.length; n += 1) zn(t[n]);
	}
}
function wt(e) {
	var t, n = H, r = e.parent;
	if (!Jn && r !== null && e.v !== T && r.f & 24576) return be(), e.v;
	Qn(r);
	try {
		Ct(e), t = fr(e);
	} finally {
		Qn(n);
	}
	return t;
}
function Tt(e) {
	var t = wt(e);
	!e.equals(t) && (e.wv = lr(), (!M?.is_fork || e.deps === null) && (M === null ? e.v = t : (M.capture(e, t, !0), kt?.capture(e, t, !0)), e.deps === null)) ? st(e, g) : Jn || (At === null ? ct(e) : (Tn() || M?.is_fork) && At.set(e, t));
}
function Et(e) {
	if (e.effects !== null) for (let t of e.effects) (t.teardown || t.ac) && (t.teardown?.(), t.ac !== null && pt(() => {
		t.ac.abort(me), t.ac = null;
	}), t.fn !== null && (t.teardown = d), hr(t, 0), Ln(t));
}
function Dt(e) {
	if (e.effects !== null) for (let t of e.effects) t.teardown && t.fn !== null && gr(t);
}
//#endregion
//#region node_modules/svelte/src/internal/client/reactivity/batch.js
var Ot = null, M = null, kt = null, At = null, jt = null, Mt = !1, Nt = !1, Pt = null, Ft = null, It = 0, Lt = 1, Rt = class e {
	id = Lt++;
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
		Ot === null ? Ot = this : (Ot.next = this, this.prev = Ot), Ot = this;
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
			for (var r of n.d) st(r, _), t(r);
			for (r of n.m) st(r, v), t(r);
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
					t.f ^= g;
				}
			}
			n || e.push(t);
		}
		return this.#a = [], e;
	}
	#m() {
		this.started = !0;
		for (let [e, t] of this.#s) st(e, t), this.schedule(e);
		this.apply();
		for (var t = Pt = [], n = [], r = Ft = []; this.#a.length > 0;) {
			It++ > 1e3 && (this.#b(), Bt());
			for (let e of this.#p()) try {
				this.#h(e, t, n);
			} catch (t) {
				throw Gt(e), this.#d() || this.discard(), t;
			}
		}
		if (M = null, r.length > 0) {
			var i = e.ensure();
			for (let e of r) i.schedule(e);
		}
		if (Pt = null, Ft = null, this.#d()) {
			this.#y(n), this.#y(t);
			for (let [e, t] of this.#c) Wt(e, t);
			r.length > 0 && M.#m();
			return;
		}
		let a = this.#g();
		if (a) this.#y(n), this.#y(t), a.#v(this);
		else {
			this.#s.clear();
			for (let e of this.#e) e(this);
			this.#e.clear(), kt = this, Ht(n), Ht(t), kt = null, this.#i?.resolve();
			var o = M;
			this.#n === 0 && (this.#a.length === 0 || o !== null) && this.#b(), o !== null && (qt.clear(), o.#m());
		}
	}
	#h(e, t, n) {
		e.f ^= g;
		for (var r = e.first; r !== null;) {
			var i = r.f, a = !!(i & 96);
			if (!(a && i & 1024 || i & 8192 || this.#c.has(r)) && r.fn !== null) {
				a ? r.f ^= g : i & 4 ? t.push(r) : ur(r) && (i & 16 && this.add_dirty_reaction(r, v), gr(r));
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
					r & 4194320 && !this.async_deriveds.has(i) && (this.#s.delete(i), st(i, _), this.schedule(i));
				}
			}
		};
		for (let e of this.current.keys()) t(e);
		this.oncommit(() => e.discard()), e.#b(), M = this, this.#m();
	}
	#y(e) {
		for (var t = 0; t < e.length; t += 1) lt(e[t], this.#s);
	}
	capture(e, t, n = !1) {
		e.v !== T && !this.previous.has(e) && this.previous.set(e, e.v), e.f & 8388608 || (this.current.set(e, [t, n]), At?.set(e, t)), this.is_fork || (e.v = t);
	}
	activate() {
		M = this;
	}
	deactivate() {
		M = null, At = null;
	}
	flush() {
		try {
			Nt = !0, M = this, this.#m();
		} finally {
			It = 0, jt = null, Pt = null, Ft = null, Nt = !1, M = null, At = null, qt.clear();
		}
	}
	discard() {
		for (let e of this.#t) e(this);
		this.#t.clear();
		for (let e of this.async_deriveds.values()) e.reject(bt);
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
		this.#u || (this.#u = !0, it(() => {
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
			!Nt && !Mt && it(() => {
				t.started || t.flush();
			});
		}
		return M;
	}
	apply() {
		At = null;
	}
	schedule(e) {
		jt = e, e.b?.is_pending && e.f & 16777228 && !(e.f & 32768) ? e.b.defer_effect(e) : this.#a.push(e);
	}
	#b() {
		if (this.linked) {
			var e = this.prev, t = this.next;
			e === null || (e.next = t), t === null ? Ot = e : t.prev = e, this.linked = !1;
		}
	}
};
function zt(e) {
	var t = Mt, n = kt;
	kt = null, Mt = !0;
	try {
		var r;
		for (e && (zt(), r = e());;) {
			if (at(), M === null) return r;
			M.flush();
		}
	} finally {
		Mt = t, kt = n;
	}
}
function Bt() {
	try {
		ze();
	} catch (e) {
		xn(e, jt);
	}
}
var Vt = null;
function Ht(e) {
	var t = e.length;
	if (t !== 0) {
		for (var n = 0; n < t;) {
			var r = e[n++];
			if (!(r.f & 24576) && ur(r) && (Vt = /* @__PURE__ */ new Set(), gr(r), r.deps === null && r.first === null && r.nodes === null && r.teardown === null && r.ac === null && Vn(r), Vt?.size > 0)) {
				qt.clear();
				for (let e of Vt) {
					if (e.f & 24576) continue;
					let t = [e], n = e.parent;
					for (; n !== null;) Vt.has(n) && (Vt.delete(n), t.push(n)), n = n.parent;
					for (let e = t.length - 1; e >= 0; e--) {
						let n = t[e];
						n.f & 24576 || gr(n);
					}
				}
				Vt.clear();
			}
		}
		Vt = null;
	}
}
function Ut(e) {
	M.schedule(e);
}
function Wt(e, t) {
	if (!(e.f & 32 && e.f & 1024)) {
		e.f & 2048 ? t.d.push(e) : e.f & 4096 && t.m.push(e), st(e, g);
		for (var n = e.first; n !== null;) Wt(n, t), n = n.next;
	}
}
function Gt(e) {
	st(e, g);
	for (var t = e.first; t !== null;) Gt(t), t = t.next;
}
//#endregion
//#region node_modules/svelte/src/internal/client/reactivity/sources.js
var Kt = /* @__PURE__ */ new Set(), qt = /* @__PURE__ */ new Map(), Jt = !1;
function Yt(e, t) {
	return {
		f: 0,
		v: e,
		reactions: null,
		equals: Ae,
		rv: 0,
		wv: 0
	};
}
/*#__NO_SIDE_EFFECTS__*/
function N(e, t) {
	let n = Yt(e, t);
	return er(n), n;
}
/*#__NO_SIDE_EFFECTS__*/
function Xt(e, t = !1, n = !0) {
	let r = Yt(e);
	return t || (r.equals = Me), r;
}
function P(e, t, n = !1) {
	return V !== null && (!Xn || V.f & 131072) && tt() && V.f & 4325394 && ($n === null || !$n.has(e)) && Ue(), $t(e, n ? an(t) : t, Ft);
}
var Zt = null, Qt = 0;
function $t(e, t, n = null) {
	if (!e.equals(t)) {
		Jn ? qt.set(e, t) : qt.has(e) || qt.set(e, e.v);
		var r = Rt.ensure();
		if (r.capture(e, t), e.f & 2) {
			let t = e;
			e.f & 2048 && wt(t), At === null && ct(t);
		}
		e.wv = lr(), Zt = null, Qt = 0, rn(e, _, n), Zt = null, tt() && H !== null && H.f & 1024 && !(H.f & 96) && (rr === null ? ir([e]) : rr.push(e)), !r.is_fork && Kt.size > 0 && !Jt && en();
	}
	return t;
}
function en() {
	Jt = !1;
	for (let e of Kt) {
		e.f & 1024 && st(e, v);
		let t;
		try {
			t = ur(e);
		} catch {
			t = !0;
		}
		t && gr(e);
	}
	Kt.clear();
}
function tn(e, t = 1) {
	var n = U(e), r = t === 1 ? n++ : n--;
	return P(e, n), r;
}
function nn(e) {
	P(e, e.v + 1);
}
function rn(e, t, n) {
	var r = e.reactions;
	if (r !== null) {
		var i = tt(), a = r.length;
		if (Qt += a, Qt > 1e5 && Zt === null && (Zt = /* @__PURE__ */ new Set()), Zt !== null) {
			if (Zt.has(e)) return;
			Zt.add(e);
		}
		for (var o = 0; o < a; o++) {
			var s = r[o], c = s.f;
			if (i || s !== H) {
				var l = (c & _) === 0;
				if (l && st(s, t), c & 131072) Kt.add(s);
				else if (c & 2) {
					var u = s;
					At?.delete(u), rn(u, v, n);
				} else if (l) {
					var d = s;
					c & 16 && Vt !== null && Vt.add(d), n === null ? Ut(d) : n.push(d);
				}
			}
		}
	}
}
function an(t) {
	if (typeof t != "object" || !t || ae in t || oe in t) return t;
	let n = l(t);
	if (n !== s && n !== c) return t;
	var r = /* @__PURE__ */ new Map(), i = e(t), o = /* @__PURE__ */ N(0), u = null, d = sr, f = (e) => {
		if (sr === d) return e();
		var t = V, n = sr;
		Zn(null), cr(d);
		var r = e();
		return Zn(t), cr(n), r;
	};
	return i && r.set("length", /* @__PURE__ */ N(t.length, u)), new Proxy(t, {
		defineProperty(e, t, n) {
			(!("value" in n) || n.configurable === !1 || n.enumerable === !1 || n.writable === !1) && Ve();
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
					r.set(t, e), nn(o);
				}
			} else P(n, T), nn(o);
			return !0;
		},
		get(e, n, i) {
			if (n === ae) return t;
			var o = r.get(n), s = n in e;
			if (o === void 0 && (!s || a(e, n)?.writable) && (o = f(() => /* @__PURE__ */ N(an(s ? e[n] : T), u)), r.set(n, o)), o !== void 0) {
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
			if (t === ae) return !0;
			var n = r.get(t), i = n !== void 0 && n.v !== T || Reflect.has(e, t);
			return (n !== void 0 || (H !== null || V !== null) && (!i || a(e, t)?.writable)) && (n === void 0 && (n = f(() => /* @__PURE__ */ N(i ? an(e[t]) : T, u)), r.set(t, n)), U(n) === T) ? !1 : i;
		},
		set(e, t, n, s) {
			var c = r.get(t), l = t in e;
			if (i && t === "length") for (var d = n; d < c.v; d += 1) {
				var p = r.get(d + "");
				p === void 0 ? d in e && (p = f(() => /* @__PURE__ */ N(T, u)), r.set(d + "", p)) : P(p, T);
			}
			if (c === void 0) (!l || a(e, t)?.writable) && (c = f(() => /* @__PURE__ */ N(void 0, u)), P(c, an(n)), r.set(t, c));
			else {
				l = c.v !== T;
				var m = f(() => an(n));
				P(c, m);
			}
			var h = Reflect.getOwnPropertyDescriptor(e, t);
			if (h?.set && h.set.call(s, n), !l) {
				if (i && typeof t == "string") {
					var g = r.get("length"), _ = Number(t);
					Number.isInteger(_) && _ >= g.v && P(g, _ + 1);
				}
				nn(o);
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
			He();
		}
	});
}
function on(e) {
	try {
		if (typeof e == "object" && e && ae in e) return e[ae];
	} catch {}
	return e;
}
function sn(e, t) {
	return Object.is(on(e), on(t));
}
var cn, ln, un, dn;
function fn() {
	if (cn === void 0) {
		cn = window, ln = /Firefox/.test(navigator.userAgent);
		var e = Element.prototype, t = Node.prototype, n = Text.prototype;
		un = a(t, "firstChild").get, dn = a(t, "nextSibling").get, u(e) && (e[ue] = void 0, e[le] = null, e[de] = void 0, e.__e = void 0), u(n) && (n[fe] = void 0);
	}
}
function pn(e = "") {
	return document.createTextNode(e);
}
/*@__NO_SIDE_EFFECTS__*/
function mn(e) {
	return un.call(e);
}
/*@__NO_SIDE_EFFECTS__*/
function hn(e) {
	return dn.call(e);
}
function F(e, t) {
	if (!E) return /* @__PURE__ */ mn(e);
	var n = /* @__PURE__ */ mn(D);
	if (n === null) n = D.appendChild(pn());
	else if (t && n.nodeType !== 3) {
		var r = pn();
		return n?.before(r), Te(r), r;
	}
	return t && yn(n), Te(n), n;
}
function I(e, t = !1) {
	if (!E) {
		var n = /* @__PURE__ */ mn(e);
		return n instanceof Comment && n.data === "" ? /* @__PURE__ */ hn(n) : n;
	}
	if (t) {
		if (D?.nodeType !== 3) {
			var r = pn();
			return D?.before(r), Te(r), r;
		}
		yn(D);
	}
	return D;
}
function L(e, t = !1) {
	if (!E) return /* @__PURE__ */ mn(e);
	var n = F(e, t);
	return O(e), n;
}
function R(e, t = 1, n = !1) {
	let r = E ? D : e;
	for (var i; t--;) i = r, r = /* @__PURE__ */ hn(r);
	if (!E) return r;
	if (n) {
		if (r?.nodeType !== 3) {
			var a = pn();
			return r === null ? i?.after(a) : r.before(a), Te(a), a;
		}
		yn(r);
	}
	return Te(r), r;
}
function gn(e) {
	e.textContent = "";
}
function _n() {
	return !1;
}
function vn(e, t, n) {
	return t == null || t === "http://www.w3.org/1999/xhtml" ? n ? document.createElement(e, { is: n }) : document.createElement(e) : n ? document.createElementNS(t, e, { is: n }) : document.createElementNS(t, e);
}
function yn(e) {
	if (e.nodeValue.length < 65536) return;
	let t = e.nextSibling;
	for (; t !== null && t.nodeType === 3;) t.remove(), e.nodeValue += t.nodeValue, t = e.nextSibling;
}
function bn(e) {
	var t = H;
	if (t === null) return V.f |= ie, e;
	if (!(t.f & 32768) && !(t.f & 4)) throw e;
	xn(e, t);
}
function xn(e, t) {
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
//#endregion
//#region node_modules/svelte/src/internal/client/reactivity/effects.js
function Sn(e) {
	H === null && (V === null && Re(e), Le()), Jn && Ie(e);
}
function Cn(e, t) {
	var n = t.last;
	n === null ? t.last = t.first = e : (n.next = e, e.prev = n, t.last = e);
}
function wn(e, t) {
	var n = H;
	n !== null && n.f & 8192 && (e |= y);
	var r = {
		ctx: Xe,
		deps: null,
		nodes: null,
		f: e | _ | 512,
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
	if (e & 4) Pt === null ? Rt.ensure().schedule(r) : Pt.push(r);
	else if (t !== null) {
		try {
			gr(r);
		} catch (e) {
			throw zn(r), e;
		}
		i.deps === null && i.teardown === null && i.nodes === null && i.first === i.last && !(i.f & 524288) && (i = i.first, e & 16 && e & 65536 && i !== null && (i.f |= C));
	}
	if (i !== null && (i.parent = n, n !== null && Cn(i, n), V !== null && V.f & 2 && !(e & 64))) {
		var a = V;
		(a.effects ??= []).push(i);
	}
	return r;
}
function Tn() {
	return V !== null && !Xn;
}
function En(e) {
	let t = wn(8, null);
	return st(t, g), t.teardown = e, t;
}
function z(e) {
	Sn("$effect");
	var t = H.f;
	if (!V && t & 32 && Xe !== null && !Xe.i) {
		var n = Xe;
		(n.e ??= []).push(e);
	} else return Dn(e);
}
function Dn(e) {
	return wn(4 | ee, e);
}
function On(e) {
	Rt.ensure();
	let t = wn(64 | w, e);
	return () => {
		zn(t);
	};
}
function kn(e) {
	Rt.ensure();
	let t = wn(64 | w, e);
	return (e = {}) => new Promise((n) => {
		e.outro ? Hn(t, () => {
			zn(t), n(void 0);
		}) : (zn(t), n(void 0));
	});
}
function An(e) {
	return wn(4, e);
}
function jn(e) {
	return wn(re | w, e);
}
function Mn(e, t = 0) {
	return wn(8 | t, e);
}
function B(e, t = [], n = [], r = []) {
	ht(r, t, n, (t) => {
		wn(8, () => {
			e(...t.map(U));
		});
	});
}
function Nn(e, t = 0) {
	return wn(16 | t, e);
}
function Pn(e, t = 0) {
	return wn(h | t, e);
}
function Fn(e) {
	return wn(32 | w, e);
}
function In(e) {
	var t = e.teardown;
	if (t !== null) {
		let n = Jn, r = V;
		Yn(!0), Zn(null);
		try {
			t.call(null);
		} catch (t) {
			xn(t, e.parent);
		} finally {
			Yn(n), Zn(r);
		}
	}
}
function Ln(e, t = !1) {
	var n = e.first;
	for (e.first = e.last = null; n !== null;) {
		let e = n.ac;
		e !== null && pt(() => {
			e.abort(me);
		});
		var r = n.next;
		n.f & 64 ? n.parent = null : zn(n, t), n = r;
	}
}
function Rn(e) {
	for (var t = e.first; t !== null;) {
		var n = t.next;
		t.f & 32 || zn(t), t = n;
	}
}
function zn(e, t = !0) {
	var n = !1;
	(t || e.f & 262144) && e.nodes !== null && e.nodes.end !== null && (Bn(e.nodes.start, e.nodes.end), n = !0), e.f |= S, Ln(e, t && !n), hr(e, 0);
	var r = e.nodes && e.nodes.t;
	if (r !== null) for (let e of r) e.stop();
	In(e), e.f ^= S, e.f |= b;
	var i = e.parent;
	i !== null && i.first !== null && Vn(e), e.next = e.prev = e.teardown = e.ctx = e.deps = e.fn = e.nodes = e.ac = e.b = null;
}
function Bn(e, t) {
	for (; e !== null;) {
		var n = e === t ? null : /* @__PURE__ */ hn(e);
		e.remove(), e = n;
	}
}
function Vn(e) {
	var t = e.parent, n = e.prev, r = e.next;
	n !== null && (n.next = r), r !== null && (r.prev = n), t !== null && (t.first === e && (t.first = r), t.last === e && (t.last = n));
}
function Hn(e, t, n = !0) {
	var r = [];
	e.f |= 256, Un(e, r, !0);
	var i = () => {
		n && zn(e), t && t();
	}, a = r.length;
	if (a > 0) {
		var o = () => --a || i();
		for (var s of r) s.out(o);
	} else i();
}
function Un(e, t, n) {
	if (!(e.f & 8192)) {
		e.f ^= y;
		var r = e.nodes && e.nodes.t;
		if (r !== null) for (let e of r) (e.is_global || n) && t.push(e);
		for (var i = e.first; i !== null;) {
			var a = i.next;
			if (!(i.f & 64)) {
				var o = !!(i.f & 65536) || !!(i.f & 32) && !!(e.f & 16);
				Un(i, t, o ? n : !1);
			}
			i = a;
		}
	}
}
function Wn(e) {
	e.f &= -257, Gn(e, !0);
}
function Gn(e, t) {
	if (!(e.f & 256) && e.f & 8192) {
		e.f ^= y, e.f & 1024 || (st(e, _), Rt.ensure().schedule(e));
		for (var n = e.first; n !== null;) {
			var r = n.next, i = !!(n.f & 65536) || !!(n.f & 32);
			Gn(n, i ? t : !1), n = r;
		}
		var a = e.nodes && e.nodes.t;
		if (a !== null) for (let e of a) (e.is_global || t) && e.in();
	}
}
function Kn(e, t) {
	if (e.nodes) for (var n = e.nodes.start, r = e.nodes.end; n !== null;) {
		var i = n === r ? null : /* @__PURE__ */ hn(n);
		t.append(n), n = i;
	}
}
//#endregion
//#region node_modules/svelte/src/internal/client/legacy.js
var qn = null, Jn = !1;
function Yn(e) {
	Jn = e;
}
var V = null, Xn = !1;
function Zn(e) {
	V = e;
}
var H = null;
function Qn(e) {
	H = e;
}
var $n = null;
function er(e) {
	V !== null && (V.f & 2097152 || V.f & 2) && ($n ??= /* @__PURE__ */ new Set()).add(e);
}
var tr = null, nr = 0, rr = null;
function ir(e) {
	rr = e;
}
var ar = 1, or = 0, sr = or;
function cr(e) {
	sr = e;
}
function lr() {
	return ++ar;
}
function ur(e) {
	var t = e.f;
	if (t & 2048) return !0;
	if (t & 4096) {
		for (var n = e.deps, r = n.length, i = 0; i < r; i++) {
			var a = n[i];
			if (ur(a) && Tt(a), a.wv > e.wv) return !0;
		}
		t & 512 && At === null && st(e, g);
	}
	return !1;
}
function dr(e, t, n = !0) {
	var r = e.reactions;
	if (r !== null && !($n !== null && $n.has(e))) for (var i = 0; i < r.length; i++) {
		var a = r[i];
		a.f & 2 ? dr(a, t, !1) : t === a && (n ? st(a, _) : a.f & 1024 && st(a, v), Ut(a));
	}
}
function fr(e) {
	var t = tr, n = nr, r = rr, i = V, a = $n, o = Xe, s = Xn, c = sr, l = e.f;
	tr = null, nr = 0, rr = null, V = l & 96 ? null : e, $n = null, Ze(e.ctx), Xn = !1, sr = ++or, e.ac !== null && (pt(() => {
		e.ac.abort(me);
	}), e.ac = null);
	try {
		e.f |= ne;
		var u = e.fn, d = u();
		e.f |= x;
		var f = pr(e);
		if (tt() && rr !== null && !Xn && f !== null && !(e.f & 6146)) for (var p = 0; p < rr.length; p++) dr(rr[p], e);
		if (i !== null && i !== e) {
			if (or++, i.deps !== null) for (let e = 0; e < n; e += 1) i.deps[e].rv = or;
			if (t !== null) for (let e of t) e.rv = or;
			rr !== null && (r === null ? r = rr : r.push(...rr));
		}
		return e.f & 8388608 && (e.f ^= ie), d;
	} catch (t) {
		return pr(e), bn(t);
	} finally {
		e.f ^= ne, tr = t, nr = n, rr = r, V = i, $n = a, Ze(o), Xn = s, sr = c;
	}
}
function pr(e) {
	var t = e.deps, n = M?.is_fork;
	if (tr !== null) {
		var r;
		if (n || hr(e, nr), t !== null && nr > 0) for (t.length = nr + tr.length, r = 0; r < tr.length; r++) t[nr + r] = tr[r];
		else e.deps = t = tr;
		if (Tn() && e.f & 512) for (r = nr; r < t.length; r++) (t[r].reactions ??= []).push(e);
	} else !n && t !== null && nr < t.length && (hr(e, nr), t.length = nr);
	return t;
}
function mr(e, r) {
	let i = r.reactions;
	if (i !== null) {
		var a = t.call(i, e);
		if (a !== -1) {
			var o = i.length - 1;
			o === 0 ? i = r.reactions = null : (i[a] = i[o], i.pop());
		}
	}
	if (i === null && r.f & 2 && (tr === null || !n.call(tr, r))) {
		var s = r;
		s.f & 512 && (s.f ^= 512), s.v !== T && ct(s), s.ac !== null && pt(() => {
			s.ac.abort(me), s.ac = null, st(s, _);
		}), Et(s), hr(s, 0);
	}
}
function hr(e, t) {
	var n = e.deps;
	if (n !== null) for (var r = t; r < n.length; r++) mr(e, n[r]);
}
function gr(e) {
	var t = e.f;
	if (!(t & 16384)) {
		st(e, g);
		var n = H;
		H = e;
		try {
			t & 16777232 ? Rn(e) : Ln(e), In(e);
			var r = fr(e);
			e.teardown = typeof r == "function" ? r : null, e.wv = ar;
		} finally {
			H = n;
		}
	}
}
async function _r() {
	await Promise.resolve(), zt();
}
function U(e) {
	var t = !!(e.f & 2);
	if (qn?.add(e), V !== null && !Xn && !(H !== null && H.f & 16384) && ($n === null || !$n.has(e))) {
		var r = V.deps;
		if (V.f & 2097152) e.rv < or && (e.rv = or, tr === null && r !== null && r[nr] === e ? nr++ : tr === null ? tr = [e] : tr.push(e));
		else {
			V.deps ??= [], n.call(V.deps, e) || V.deps.push(e);
			var i = e.reactions;
			i === null ? e.reactions = [V] : n.call(i, V) || i.push(V);
		}
	}
	if (Jn && qt.has(e)) return qt.get(e);
	if (t) {
		var a = e;
		if (Jn) {
			var o = a.v;
			return (!(a.f & 1024) && a.reactions !== null || yr(a)) && (o = wt(a)), qt.set(a, o), o;
		}
		var s = !(a.f & 512) && !Xn && V !== null && !!(V.f & 512), c = (a.f & x) === 0;
		ur(a) && (s && (a.f |= 512), Tt(a)), s && !c && (Dt(a), vr(a));
	}
	if (At?.has(e)) return At.get(e);
	if (e.f & 8388608) throw e.v;
	return e.v;
}
function vr(e) {
	if (e.f |= 512, e.deps !== null) for (let r of e.deps) {
		var t = r.reactions;
		t === null ? r.reactions = [e] : n.call(t, e) || t.push(e), r.f & 2 && !(r.f & 512) && (Dt(r), vr(r));
	}
}
function yr(e) {
	if (e.v === T) return !0;
	if (e.deps === null) return !1;
	for (let t of e.deps) if (qt.has(t) || t.f & 2 && yr(t)) return !0;
	return !1;
}
function br(e) {
	var t = Xn;
	try {
		return Xn = !0, e();
	} finally {
		Xn = t;
	}
}
function xr(e) {
	return e.endsWith("capture") && e !== "gotpointercapture" && e !== "lostpointercapture";
}
var Sr = [
	"beforeinput",
	"click",
	"change",
	"dblclick",
	"contextmenu",
	"focusin",
	"focusout",
	"input",
	"keydown",
	"keyup",
	"mousedown",
	"mousemove",
	"mouseout",
	"mouseover",
	"mouseup",
	"pointerdown",
	"pointermove",
	"pointerout",
	"pointerover",
	"pointerup",
	"touchend",
	"touchmove",
	"touchstart"
];
function Cr(e) {
	return Sr.includes(e);
}
var wr = /* @__PURE__ */ "allowfullscreen.async.autofocus.autoplay.checked.controls.default.disabled.formnovalidate.indeterminate.inert.ismap.loop.multiple.muted.nomodule.novalidate.open.playsinline.readonly.required.reversed.seamless.selected.webkitdirectory.defer.disablepictureinpicture.disableremoteplayback".split("."), Tr = {
	formnovalidate: "formNoValidate",
	ismap: "isMap",
	nomodule: "noModule",
	playsinline: "playsInline",
	readonly: "readOnly",
	defaultvalue: "defaultValue",
	defaultchecked: "defaultChecked",
	srcobject: "srcObject",
	novalidate: "noValidate",
	allowfullscreen: "allowFullscreen",
	disablepictureinpicture: "disablePictureInPicture",
	disableremoteplayback: "disableRemotePlayback"
};
function Er(e) {
	return e = e.toLowerCase(), Tr[e] ?? e;
}
[...wr];
var Dr = ["touchstart", "touchmove"];
function Or(e) {
	return Dr.includes(e);
}
//#endregion
//#region node_modules/svelte/src/internal/client/dom/elements/events.js
var kr = Symbol("events"), Ar = /* @__PURE__ */ new Set(), jr = /* @__PURE__ */ new Set();
function Mr(e, t, n, r = {}) {
	function i(e) {
		if (r.capture || Lr.call(t, e), !e.cancelBubble) return pt(() => n?.call(this, e));
	}
	return e.startsWith("pointer") || e.startsWith("touch") || e === "wheel" ? (i.__removed = !1, it(() => {
		i.__removed || t.addEventListener(e, i, r);
	})) : t.addEventListener(e, i, r), i;
}
function Nr(e, t, n, r, i) {
	var a = {
		capture: r,
		passive: i
	}, o = Mr(e, t, n, a);
	(t === document.body || t === window || t === document || t instanceof HTMLMediaElement) && En(() => {
		o.__removed = !0, t.removeEventListener(e, o, a);
	});
}
function W(e, t, n) {
	(t[kr] ??= {})[e] = n;
}
function Pr(e) {
	for (var t = 0; t < e.length; t++) Ar.add(e[t]);
	for (var n of jr) n(e);
}
var Fr = null, Ir = !1;
function Lr(e) {
	var t = this, n = t.ownerDocument, r = e.type, a = e.composedPath?.() || [], o = a[0] || e.target;
	Fr = e, Ir || (Ir = !0, setTimeout(() => {
		Ir = !1, Fr = null;
	}));
	var s = 0, c = Fr === e && e[kr];
	if (c) {
		var l = a.indexOf(c);
		if (l !== -1 && (t === document || t === window)) {
			e[kr] = t;
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
		Zn(null), Qn(null);
		try {
			for (var p, m = []; o !== null && o !== t;) {
				try {
					var h = o[kr]?.[r];
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
			e[kr] = t, delete e.currentTarget, Zn(d), Qn(f);
		}
	}
}
//#endregion
//#region node_modules/svelte/src/internal/client/dom/reconciler.js
var Rr = globalThis?.window?.trustedTypes && /* @__PURE__ */ globalThis.window.trustedTypes.createPolicy("svelte-trusted-html", { createHTML: (e) => e });
function zr(e) {
	return Rr?.createHTML(e) ?? e;
}
function Br(e) {
	var t = vn("template");
	return t.innerHTML = zr(e.replaceAll("<!>", "<!---->")), t.content;
}
//#endregion
//#region node_modules/svelte/src/internal/client/dom/template.js
function Vr(e, t) {
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
		if (E) return Vr(D, null), D;
		i === void 0 && (i = Br(a ? e : "<!>" + e), n || (i = /* @__PURE__ */ mn(i)));
		var t = r || ln ? document.importNode(i, !0) : i.cloneNode(!0);
		if (n) {
			var o = /* @__PURE__ */ mn(t), s = t.lastChild;
			Vr(o, s);
		} else Vr(t, t);
		return t;
	};
}
function Hr(e = "") {
	if (!E) {
		var t = pn(e + "");
		return Vr(t, t), t;
	}
	var n = D;
	return n.nodeType === 3 ? yn(n) : (n.before(n = pn()), Te(n)), Vr(n, n), n;
}
function Ur() {
	if (E) return Vr(D, null), D;
	var e = document.createDocumentFragment(), t = document.createComment(""), n = pn();
	return e.append(t, n), Vr(t, n), e;
}
function K(e, t) {
	if (E) {
		var n = H;
		(!(n.f & 32768) || n.nodes.end === null) && (n.nodes.end = D), Ee();
	} else e !== null && e.before(t);
}
//#endregion
//#region node_modules/svelte/src/reactivity/create-subscriber.js
function Wr(e) {
	let t = 0, n = Yt(0), r;
	return () => {
		Tn() && (U(n), Mn(() => (t === 0 && (r = br(() => e(() => nn(n)))), t += 1, () => {
			it(() => {
				--t, t === 0 && (r?.(), r = void 0, nn(n));
			});
		})));
	};
}
//#endregion
//#region node_modules/svelte/src/internal/client/dom/blocks/boundary.js
var Gr = C | w;
function Kr(e, t, n, r) {
	new qr(e, t, n, r);
}
var qr = class {
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
	#m = Wr(() => (this.#p = Yt(this.#l), () => {
		this.#p = null;
	}));
	constructor(e, t, n, r) {
		this.#e = e, this.#n = t, this.#r = (e) => {
			var t = H;
			t.b = this, t.f |= 128, n(e);
		}, this.parent = H.b, this.transform_error = r ?? this.parent?.transform_error ?? ((e) => e), this.#i = Nn(() => {
			if (E) {
				let e = ke(this.#t);
				Ee();
				let t = e === "[!";
				if (e.startsWith("[?")) {
					let t = JSON.parse(e.slice(2));
					this.#g(t);
				} else t ? this.#y() : this.#h();
			} else this.#b();
		}, Gr), E && (this.#e = D);
	}
	#h() {
		try {
			this.#a = Fn(() => this.#r(this.#e));
		} catch (e) {
			this.error(e);
		}
	}
	#g(e) {
		let t = this.#n.failed, { reset: n, invoke_onerror: r } = this.#_(e);
		it(r), t && (this.#s = Fn(() => {
			t(this.#e, () => e, () => n);
		}));
	}
	#_(e) {
		var t = !1, n = !1;
		let r = () => {
			this.#v() || (t ? Ce() : (t = !0, n && We(), this.#s !== null && Hn(this.#s, () => {
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
					xn(e, this.#i && this.#i.parent);
				}
			}
		};
	}
	#v() {
		return (this.#i.f & (b | S)) !== 0;
	}
	#y() {
		let e = this.#n.pending;
		e && (this.is_pending = !0, this.#o = Fn(() => e(this.#e)), it(() => {
			if (!this.#v()) {
				var e = this.#c = document.createDocumentFragment(), t = pn(), n = !1;
				e.append(t), this.#a = this.#S(() => {
					try {
						return Fn(() => this.#r(t));
					} catch (e) {
						try {
							this.error(e), n = !0;
						} catch (e) {
							xn(e, this.#i.parent);
						}
						return null;
					}
				}), this.#a === null ? (this.#c = null, n && this.#x(M)) : this.#u === 0 && (this.#e.before(e), this.#c = null, Hn(this.#o, () => {
					this.#o = null;
				}), this.#x(M));
			}
		}));
	}
	#b() {
		try {
			if (this.is_pending = this.has_pending_snippet(), this.#u = 0, this.#l = 0, this.#a = Fn(() => {
				this.#r(this.#e);
			}), this.#u > 0) {
				var e = this.#c = document.createDocumentFragment();
				Kn(this.#a, e);
				let t = this.#n.pending;
				this.#o = Fn(() => t(this.#e));
			} else this.#x(M);
		} catch (e) {
			this.error(e);
		}
	}
	#x(e) {
		this.is_pending = !1, e.transfer_reactions(this.#f);
	}
	defer_effect(e) {
		lt(e, this.#f);
	}
	is_rendered() {
		return !this.is_pending && (!this.parent || this.parent.is_rendered());
	}
	has_pending_snippet() {
		return !!this.#n.pending;
	}
	#S(e) {
		var t = H, n = V, r = Xe;
		Qn(this.#i), Zn(this.#i), Ze(this.#i.ctx);
		try {
			return Rt.ensure(), e();
		} finally {
			Qn(t), Zn(n), Ze(r);
		}
	}
	#C(e, t) {
		this.has_pending_snippet() ? (this.#u += e, this.#u === 0 && (this.#x(t), this.#o && Hn(this.#o, () => {
			this.#o = null;
		}), this.#c &&= (this.#e.before(this.#c), null))) : this.parent && this.parent.#C(e, t);
	}
	update_pending_count(e, t) {
		this.#C(e, t), this.#l += e, !(!this.#p || this.#d) && (this.#d = !0, it(() => {
			this.#d = !1, this.#p && $t(this.#p, this.#l);
		}));
	}
	get_effect_pending() {
		return this.#m(), U(this.#p);
	}
	error(e) {
		if (e === ge || !this.#n.onerror && !this.#n.failed) throw e;
		M?.is_fork ? (this.#a && M.skip_effect(this.#a), this.#o && M.skip_effect(this.#o), this.#s && M.skip_effect(this.#s), M.oncommit(() => {
			this.#v() || this.#w(e);
		})) : this.#w(e);
	}
	#w(e) {
		this.#a &&= (zn(this.#a), null), this.#o &&= (zn(this.#o), null), this.#s &&= (zn(this.#s), null), E && (Te(this.#t), De(), Te(Oe()));
		let t = this.#n.failed, n = (e) => {
			if (this.#v()) return;
			let { reset: n, invoke_onerror: r } = this.#_(e);
			r(), t && !this.#v() && (this.#s = this.#S(() => {
				try {
					return Fn(() => {
						var r = H;
						r.b = this, r.f |= 128, t(this.#e, () => e, () => n);
					});
				} catch (e) {
					return xn(e, this.#i.parent), null;
				}
			}));
		};
		it(() => {
			if (!this.#v()) {
				var t;
				try {
					t = this.transform_error(e);
				} catch (e) {
					xn(e, this.#i && this.#i.parent);
					return;
				}
				typeof t == "object" && t && typeof t.then == "function" ? t.then(n, (e) => xn(e, this.#i && this.#i.parent)) : n(t);
			}
		});
	}
};
function q(e, t) {
	var n = t == null ? "" : typeof t == "object" ? `${t}` : t;
	n !== (e[fe] ??= e.nodeValue) && (e[fe] = n, e.nodeValue = `${n}`);
}
function Jr(e, t) {
	return Xr(e, t);
}
var Yr = /* @__PURE__ */ new Map();
function Xr(e, { target: t, anchor: n, props: i = {}, events: a, context: o, intro: s = !0, transformError: c }) {
	fn();
	var l = void 0, u = kn(() => {
		var s = n ?? t.appendChild(pn());
		Kr(s, { pending: () => {} }, (t) => {
			k({});
			var n = Xe;
			if (o && (n.c = o), a && (i.$$events = a), E && Vr(t, null), l = e(t, i) || et(), E && (H.nodes.end = D, D === null || D.nodeType !== 8 || D.data !== "]")) throw xe(), ge;
			A();
		}, c);
		var u = /* @__PURE__ */ new Set(), d = (e) => {
			for (var n = 0; n < e.length; n++) {
				var r = e[n];
				if (!u.has(r)) {
					u.add(r);
					var i = Or(r);
					for (let e of [t, document]) {
						var a = Yr.get(e);
						a === void 0 && (a = /* @__PURE__ */ new Map(), Yr.set(e, a));
						var o = a.get(r);
						o === void 0 ? (e.addEventListener(r, Lr, { passive: i }), a.set(r, 1)) : a.set(r, o + 1);
					}
				}
			}
		};
		return d(r(Ar)), jr.add(d), () => {
			for (var e of u) for (let n of [t, document]) {
				var r = Yr.get(n), i = r.get(e);
				--i == 0 ? (n.removeEventListener(e, Lr), r.delete(e), r.size === 0 && Yr.delete(n)) : r.set(e, i);
			}
			jr.delete(d), s !== n && s.parentNode?.removeChild(s);
		};
	});
	return Zr.set(l, u), l;
}
var Zr = /* @__PURE__ */ new WeakMap();
function Qr(e, t) {
	let n = Zr.get(e);
	return n ? (Zr.delete(e), n(t)) : Promise.resolve();
}
//#endregion
//#region node_modules/svelte/src/internal/client/dom/blocks/branches.js
var $r = class {
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
			if (n) Wn(n), this.#r.delete(t);
			else {
				var r = this.#n.get(t);
				r && (Wn(r.effect), this.#t.set(t, r.effect), this.#n.delete(t), r.fragment.lastChild.remove(), this.anchor.before(r.fragment), n = r.effect);
			}
			for (let [t, n] of this.#e) {
				if (this.#e.delete(t), t === e) break;
				let r = this.#n.get(n);
				r && (zn(r.effect), this.#n.delete(n));
			}
			for (let [e, r] of this.#t) {
				if (e === t || this.#r.has(e)) continue;
				let i = () => {
					if (Array.from(this.#e.values()).includes(e)) {
						var t = document.createDocumentFragment();
						Kn(r, t), t.append(pn()), this.#n.set(e, {
							effect: r,
							fragment: t
						});
					} else zn(r);
					this.#r.delete(e), this.#t.delete(e);
				};
				this.#i || !n ? (this.#r.add(e), Hn(r, i, !1)) : i();
			}
		}
	};
	#o = (e) => {
		this.#e.delete(e);
		let t = Array.from(this.#e.values());
		for (let [e, n] of this.#n) t.includes(e) || (zn(n.effect), this.#n.delete(e));
	};
	ensure(e, t) {
		var n = M, r = _n();
		if (t && !this.#t.has(e) && !this.#n.has(e)) {
			if (r) {
				var i = document.createDocumentFragment(), a = pn();
				i.append(a), this.#n.set(e, {
					effect: Fn(() => t(a)),
					fragment: i
				});
			} else this.#t.set(e, Fn(() => t(this.anchor)));
		}
		if (this.#e.set(n, e), r) {
			for (let [t, r] of this.#t) t === e ? n.unskip_effect(r) : n.skip_effect(r);
			for (let [t, r] of this.#n) t === e ? n.unskip_effect(r.effect) : n.skip_effect(r.effect);
			n.oncommit(this.#a), n.ondiscard(this.#o);
		} else E && (this.anchor = D), this.#a(n);
	}
};
//#endregion
//#region node_modules/svelte/src/internal/client/dom/blocks/if.js
function J(e, t, n = !1) {
	var r;
	E && (r = D, Ee());
	var i = new $r(e), a = n ? C : 0;
	function o(e, t) {
		if (E) {
			var n = ke(r);
			if (e !== parseInt(n.substring(1))) {
				var a = Oe();
				Te(a), i.anchor = a, we(!1), i.ensure(e, t), we(!0);
				return;
			}
		}
		i.ensure(e, t);
	}
	Nn(() => {
		var e = !1;
		t((t, n = 0) => {
			e = !0, o(n, t);
		}), e || o(-1, null);
	}, a);
}
//#endregion
//#region node_modules/svelte/src/internal/client/dom/blocks/each.js
function ei(e, t) {
	return t;
}
function ti(e, t, n) {
	for (var i = [], a = t.length, o, s = t.length, c = 0; c < a; c++) {
		let n = t[c];
		Hn(n, () => {
			if (o) {
				if (o.pending.delete(n), o.done.add(n), o.pending.size === 0) {
					var t = e.outrogroups;
					ni(e, r(o.done)), t.delete(o), t.size === 0 && (e.outrogroups = null);
				}
			} else --s;
		}, !1);
	}
	if (s === 0) {
		var l = i.length === 0 && n !== null && e.pending.size === 0;
		if (l) {
			var u = n, d = u.parentNode;
			gn(d), d.append(u), e.items.clear();
		}
		ni(e, t, !l);
	} else o = {
		pending: new Set(t),
		done: /* @__PURE__ */ new Set()
	}, (e.outrogroups ??= /* @__PURE__ */ new Set()).add(o);
}
function ni(e, t, n = !0) {
	var r;
	if (e.pending.size > 0) {
		r = /* @__PURE__ */ new Set();
		for (let t of e.pending.values()) for (let n of t) r.add(e.items.get(n).e);
	}
	for (var i = 0; i < t.length; i++) {
		var a = t[i];
		r?.has(a) ? (a.f |= te, Kn(a, document.createDocumentFragment())) : zn(t[i], n);
	}
}
var ri;
function Y(t, n, i, a, o, s = null) {
	var c = t, l = /* @__PURE__ */ new Map();
	if (n & 4) {
		var u = t;
		c = E ? Te(/* @__PURE__ */ mn(u)) : u.appendChild(pn());
	}
	E && Ee();
	var d = null, f = /* @__PURE__ */ St(() => {
		var t = i();
		return e(t) ? t : t == null ? [] : r(t);
	}), p = /* @__PURE__ */ new Map(), m = !0;
	function h(e) {
		if (!(_.effect.f & 16384)) {
			_.pending.delete(e);
			var t = U(f);
			_.fallback = d, ai(_, t, c, n, a), d !== null && (t.length === 0 ? d.f & 33554432 ? (d.f ^= te, si(d, null, c)) : Wn(d) : Hn(d, () => {
				d = null;
			}));
		}
	}
	function g(e) {
		_.pending.delete(e);
	}
	var _ = {
		effect: Nn(() => {
			var e = U(f), t = e.length;
			let r = !1;
			E && ke(c) === "[!" != (t === 0) && (c = Oe(), Te(c), we(!1), r = !0);
			for (var u = /* @__PURE__ */ new Set(), _ = M, v = _n(), y = 0; y < t; y += 1) {
				E && D.nodeType === 8 && D.data === "]" && (c = D, r = !0, we(!1));
				var b = e[y], x = a(b, y), S = m ? null : l.get(x);
				S ? (S.v && $t(S.v, b), S.i && $t(S.i, y), v && _.unskip_effect(S.e)) : (S = oi(l, m ? c : ri ??= pn(), b, x, y, o, n, i), m || (S.e.f |= te), l.set(x, S)), u.add(x);
			}
			if (t === 0 && s && !d && (m ? d = Fn(() => s(c)) : (d = Fn(() => s(ri ??= pn())), d.f |= te)), t > u.size && Fe("", "", ""), E && t > 0 && Te(Oe()), !m) {
				if (p.set(_, u), v) {
					for (let [e, t] of l) u.has(e) || _.skip_effect(t.e);
					_.oncommit(h), _.ondiscard(g);
				} else h(_);
			}
			r && we(!0), U(f);
		}),
		flags: n,
		items: l,
		pending: p,
		outrogroups: null,
		fallback: d
	};
	m = !1, E && (c = D);
}
function ii(e) {
	for (; e !== null && !(e.f & 32);) e = e.next;
	return e;
}
function ai(e, t, n, i, a) {
	var o = !!(i & 8), s = t.length, c = e.items, l = ii(e.effect.first), u, d = null, f, p = [], m = [], h, g, _, v;
	if (o) for (v = 0; v < s; v += 1) h = t[v], g = a(h, v), _ = c.get(g).e, _.f & 33554432 || (_.nodes?.a?.measure(), (f ??= /* @__PURE__ */ new Set()).add(_));
	for (v = 0; v < s; v += 1) {
		if (h = t[v], g = a(h, v), _ = c.get(g).e, e.outrogroups !== null) for (let t of e.outrogroups) t.pending.delete(_), t.done.delete(_);
		if (_.f & 8192 && (Wn(_), o && (_.nodes?.a?.unfix(), (f ??= /* @__PURE__ */ new Set()).delete(_))), _.f & 33554432) {
			if (_.f ^= te, _ === l) si(_, null, n);
			else {
				var y = d ? d.next : l;
				_ === e.effect.last && (e.effect.last = _.prev), _.prev && (_.prev.next = _.next), _.next && (_.next.prev = _.prev), ci(e, d, _), ci(e, _, y), si(_, y, n), d = _, p = [], m = [], l = ii(d.next);
				continue;
			}
		}
		if (_ !== l) {
			if (u !== void 0 && u.has(_)) {
				if (p.length < m.length) {
					var b = m[0], x;
					d = b.prev;
					var S = p[0], C = p[p.length - 1];
					for (x = 0; x < p.length; x += 1) si(p[x], b, n);
					for (x = 0; x < m.length; x += 1) u.delete(m[x]);
					ci(e, S.prev, C.next), ci(e, d, S), ci(e, C, b), l = b, d = C, --v, p = [], m = [];
				} else u.delete(_), si(_, l, n), ci(e, _.prev, _.next), ci(e, _, d === null ? e.effect.first : d.next), ci(e, d, _), d = _;
				continue;
			}
			for (p = [], m = []; l !== null && l !== _;) (u ??= /* @__PURE__ */ new Set()).add(l), m.push(l), l = ii(l.next);
			if (l === null) continue;
		}
		_.f & 33554432 || p.push(_), d = _, l = ii(_.next);
	}
	if (e.outrogroups !== null) {
		for (let t of e.outrogroups) t.pending.size === 0 && (ni(e, r(t.done)), e.outrogroups?.delete(t));
		e.outrogroups.size === 0 && (e.outrogroups = null);
	}
	if (l !== null || u !== void 0) {
		var w = [];
		if (u !== void 0) for (_ of u) _.f & 8192 || w.push(_);
		for (; l !== null;) !(l.f & 8192) && l !== e.fallback && w.push(l), l = ii(l.next);
		var ee = w.length;
		if (ee > 0) {
			var ne = i & 4 && s === 0 ? n : null;
			if (o) {
				for (v = 0; v < ee; v += 1) w[v].nodes?.a?.measure();
				for (v = 0; v < ee; v += 1) w[v].nodes?.a?.fix();
			}
			ti(e, w, ne);
		}
	}
	o && it(() => {
		if (f !== void 0) for (_ of f) _.nodes?.a?.apply();
	});
}
function oi(e, t, n, r, i, a, o, s) {
	var c = o & 1 ? o & 16 ? Yt(n) : /* @__PURE__ */ Xt(n, !1, !1) : null, l = o & 2 ? Yt(i) : null;
	return {
		v: c,
		i: l,
		e: Fn(() => (a(t, c ?? n, l ?? i, s), () => {
			e.delete(r);
		}))
	};
}
function si(e, t, n) {
	if (e.nodes) for (var r = e.nodes.start, i = e.nodes.end, a = t && !(t.f & 33554432) ? t.nodes.start : n; r !== null;) {
		var o = /* @__PURE__ */ hn(r);
		if (a.before(r), r === i) return;
		r = o;
	}
}
function ci(e, t, n) {
	t === null ? e.effect.first = n : t.next = n, n === null ? e.effect.last = t : n.prev = t;
}
function li(e, t, n = !1, r = !1, i = !1, a = !1) {
	var o = e, s = "";
	if (n) {
		var c = e;
		E && (o = Te(/* @__PURE__ */ mn(c)));
	}
	B(() => {
		var e = H;
		if (s === (s = t() ?? "")) E && Ee();
		else if (n && !E) e.nodes = null, c.innerHTML = s, s !== "" && Vr(/* @__PURE__ */ mn(c), c.lastChild);
		else if (e.nodes !== null && (Bn(e.nodes.start, e.nodes.end), e.nodes = null), s !== "") {
			if (E) {
				for (var a = D.data, l = Ee(), u = l; l !== null && (l.nodeType !== 8 || l.data !== "");) u = l, l = /* @__PURE__ */ hn(l);
				if (l === null) throw xe(), ge;
				Vr(D, u), o = Te(l);
			} else {
				var d = vn(r ? "svg" : i ? "math" : "template", r ? ve : i ? ye : void 0);
				d.innerHTML = s;
				var f = r || i ? d : d.content;
				if (Vr(/* @__PURE__ */ mn(f), f.lastChild), r || i) for (; /* @__PURE__ */ mn(f);) o.before(/* @__PURE__ */ mn(f));
				else o.before(f);
			}
		}
	});
}
//#endregion
//#region node_modules/svelte/src/internal/client/dom/blocks/snippet.js
function ui(e, t, ...n) {
	var r = new $r(e);
	Nn(() => {
		let e = t() ?? null;
		r.ensure(e, e && ((t) => e(t, ...n)));
	}, C);
}
//#endregion
//#region node_modules/svelte/src/internal/client/dom/blocks/svelte-component.js
function di(e, t, n) {
	var r;
	E && (r = D, Ee());
	var i = new $r(e);
	Nn(() => {
		var e = t() ?? null;
		if (E && ke(r) === "[" != (e !== null)) {
			var a = Oe();
			Te(a), i.anchor = a, we(!1), i.ensure(e, e && ((t) => n(t, e))), we(!0);
		} else i.ensure(e, e && ((t) => n(t, e)));
	}, C);
}
//#endregion
//#region node_modules/svelte/src/internal/client/dom/elements/attachments.js
function fi(e, t) {
	var n = void 0, r;
	Pn(() => {
		n !== (n = t()) && (r &&= (zn(r), null), n && (r = Fn(() => {
			An(() => n(e));
		})));
	});
}
//#endregion
//#region node_modules/clsx/dist/clsx.mjs
function pi(e) {
	var t, n, r = "";
	if (typeof e == "string" || typeof e == "number") r += e;
	else if (typeof e == "object") {
		if (Array.isArray(e)) {
			var i = e.length;
			for (t = 0; t < i; t++) e[t] && (n = pi(e[t])) && (r && (r += " "), r += n);
		} else for (n in e) e[n] && (r && (r += " "), r += n);
	}
	return r;
}
function mi() {
	for (var e, t, n = 0, r = "", i = arguments.length; n < i; n++) (e = arguments[n]) && (t = pi(e)) && (r && (r += " "), r += t);
	return r;
}
//#endregion
//#region node_modules/svelte/src/internal/shared/attributes.js
function hi(e) {
	return typeof e == "object" ? mi(e) : e ?? "";
}
var gi = [..." 	\n\r\f\xA0\v﻿"];
function _i(e, t, n) {
	var r = e == null ? "" : "" + e;
	if (t && (r = r ? r + " " + t : t), n) {
		for (var i of Object.keys(n)) if (n[i]) r = r ? r + " " + i : i;
		else if (r.length) for (var a = i.length, o = 0; (o = r.indexOf(i, o)) >= 0;) {
			var s = o + a;
			(o === 0 || gi.includes(r[o - 1])) && (s === r.length || gi.includes(r[s])) ? r = (o === 0 ? "" : r.substring(0, o)) + r.substring(s + 1) : o = s;
		}
	}
	return r === "" ? null : r;
}
function vi(e, t = !1) {
	var n = t ? " !important;" : ";", r = "";
	for (var i of Object.keys(e)) {
		var a = e[i];
		a != null && a !== "" && (r += " " + i + ": " + a + n);
	}
	return r;
}
function yi(e) {
	return e[0] !== "-" || e[1] !== "-" ? e.toLowerCase() : e;
}
function bi(e, t) {
	if (t) {
		var n = "", r, i;
		if (Array.isArray(t) ? (r = t[0], i = t[1]) : r = t, e) {
			e = String(e).replaceAll(/\/\*.*?\*\//g, "").trim();
			var a = !1, o = 0, s = !1, c = [];
			r && c.push(...Object.keys(r).map(yi)), i && c.push(...Object.keys(i).map(yi));
			var l = 0, u = -1;
			let t = e.length;
			for (var d = 0; d < t; d++) {
				var f = e[d];
				if (s ? f === "/" && e[d - 1] === "*" && (s = !1) : a ? a === f && (a = !1) : f === "/" && e[d + 1] === "*" ? s = !0 : f === "\"" || f === "'" ? a = f : f === "(" ? o++ : f === ")" && o--, !s && a === !1 && o === 0) {
					if (f === ":" && u === -1) u = d;
					else if (f === ";" || d === t - 1) {
						if (u !== -1) {
							var p = yi(e.substring(l, u).trim());
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
		return r && (n += vi(r)), i && (n += vi(i, !0)), n = n.trim(), n === "" ? null : n;
	}
	return e == null ? null : String(e);
}
//#endregion
//#region node_modules/svelte/src/internal/client/dom/elements/class.js
function xi(e, t, n, r, i, a) {
	var o = e[ue];
	if (E || o !== n || o === void 0) {
		var s = _i(n, r, a);
		(!E || s !== e.getAttribute("class")) && (s == null ? e.removeAttribute("class") : t ? e.className = s : e.setAttribute("class", s)), e[ue] = n;
	} else if (a && i !== a) for (var c in a) {
		var l = !!a[c];
		(i == null || l !== !!i[c]) && e.classList.toggle(c, l);
	}
	return a;
}
//#endregion
//#region node_modules/svelte/src/internal/client/dom/elements/style.js
function Si(e, t = {}, n, r) {
	for (var i in n) {
		var a = n[i];
		t[i] !== a && (n[i] == null ? e.style.removeProperty(i) : e.style.setProperty(i, a, r));
	}
}
function X(e, t, n, r) {
	var i = e[de];
	if (E || i !== t) {
		var a = bi(t, r);
		(!E || a !== e.getAttribute("style")) && (a == null ? e.removeAttribute("style") : e.style.cssText = a), e[de] = t;
	} else r && (Array.isArray(r) ? (Si(e, n?.[0], r[0]), Si(e, n?.[1], r[1], "important")) : Si(e, n, r));
	return r;
}
//#endregion
//#region node_modules/svelte/src/internal/client/dom/elements/bindings/select.js
function Ci(e, t) {
	t ? e.hasAttribute("selected") || e.setAttribute("selected", "") : e.removeAttribute("selected");
}
function wi(e, t) {
	var n = !("__defaultValue" in e);
	(n || e.__defaultValue !== t) && (e.__defaultValue = t, Ti(e, !n || "__value" in e));
}
function Ti(t, n) {
	var r = t.__defaultValue, i = t.multiple, a = i ? r ?? [] : null;
	if (!i || e(a)) {
		var o = t.selectedIndex, s = n && i ? new Set(t.selectedOptions) : null;
		for (var c of t.options) {
			var l = ki(c);
			Ci(c, i ? a.includes(l) : sn(l, r));
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
function Ei(t, n, r = !1) {
	if (t.multiple) {
		if (n == null) return;
		if (!e(n)) return Se();
		for (var i of t.options) i.selected = n.includes(ki(i));
	} else {
		for (i of t.options) if (sn(ki(i), n)) {
			i.selected = !0;
			return;
		}
		(!r || n !== void 0) && (t.selectedIndex = -1);
	}
}
function Di(e) {
	var t = new MutationObserver((t) => {
		t.every(Ai) || ("__defaultValue" in e && Ti(e, !1), "__value" in e && Ei(e, e.__value));
	});
	t.observe(e, {
		childList: !0,
		subtree: !0,
		attributes: !0,
		attributeFilter: ["value"]
	}), En(() => {
		t.disconnect();
	});
}
function Oi(e, t, n = t) {
	var r = /* @__PURE__ */ new WeakSet(), i = !0;
	mt(e, "change", (t) => {
		var i = t ? "[selected]" : ":checked", a;
		if (e.multiple) a = [].map.call(e.querySelectorAll(i), ki);
		else {
			var o = e.querySelector(i) ?? e.querySelector("option:not([disabled])");
			a = o && ki(o);
		}
		n(a), e.__value = a, M !== null && r.add(M);
	}), An(() => {
		var a = t();
		if (e === document.activeElement) {
			var o = M;
			if (r.has(o)) return;
		}
		if (Ei(e, a, i), i && a === void 0) {
			var s = e.querySelector(":checked");
			s !== null && (a = ki(s), n(a));
		}
		e.__value = a, i = !1;
	});
}
function ki(e) {
	return "__value" in e ? e.__value : e.value;
}
function Ai(e) {
	if (e.target.closest("selectedcontent") !== null) return !0;
	if (e.type === "childList") {
		var t = [...e.addedNodes, ...e.removedNodes];
		return t.length > 0 && t.every((e) => e.nodeName === "SELECTEDCONTENT");
	}
	return !1;
}
//#endregion
//#region node_modules/svelte/src/internal/client/dom/elements/attributes.js
var ji = Symbol("class"), Mi = Symbol("style"), Ni = Symbol("is custom element"), Pi = Symbol("is html"), Fi = he ? "link" : "LINK", Ii = he ? "input" : "INPUT", Li = he ? "option" : "OPTION", Ri = he ? "select" : "SELECT", zi = he ? "progress" : "PROGRESS";
function Bi(e) {
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
		e[pe] = n, it(n), ft();
	}
}
function Vi(e, t) {
	var n = Gi(e);
	n.value !== (n.value = t ?? void 0) && (e.value !== t || t === 0 && e.nodeName === zi) && (e.value = t ?? "");
}
function Hi(e, t) {
	var n = Gi(e);
	n.checked !== (n.checked = t ?? void 0) && (e.checked = t);
}
function Z(e, t, n, r) {
	var i = Gi(e);
	if (!(E && (i[t] = e.getAttribute(t), t === "src" || t === "srcset" || t === "href" && e.nodeName === Fi))) {
		var a = i[t];
		a !== (i[t] = n) && (t === "loading" && (e[ce] = n), n == null ? e.removeAttribute(t) : typeof n != "string" && qi(e).has(t) ? e[t] = n : (!E || typeof n != "number" && typeof n != "boolean" || a !== String(n)) && e.setAttribute(t, n));
	}
}
function Ui(e, t, n, r, i = !1, a = !1) {
	E && i && e.nodeName === Ii && ("defaultValue" in n || "defaultChecked" in n || Bi(e));
	var o = Gi(e), s = o[Ni], c = !o[Pi];
	let l = E && s;
	l && we(!1);
	var u = t || {}, d = e.nodeName === Li, f = e.nodeName === Ri;
	try {
		for (var p in t) !(p in n) && p[0] + p[1] !== "$$" && (n[p] = null);
		n.class ? n.class = hi(n.class) : (r || n[ji]) && (n.class = null), n[Mi] && (n.style ??= null);
		var m = qi(e);
		if (e.nodeName === Ii && "type" in n && ("value" in n || "__value" in n)) {
			var h = n.type;
			(h !== u.type || h === void 0 && e.hasAttribute("type")) && (u.type = h, Z(e, "type", h, a));
		}
		for (let i in n) {
			let l = n[i];
			if (d && i === "value" && l == null) e.value = e.__value = "", u[i] = l;
			else if (i === "class") xi(e, e.namespaceURI === "http://www.w3.org/1999/xhtml", l, r, t?.[ji], n[ji]), u[i] = l, u[ji] = n[ji];
			else if (i === "style") X(e, l, t?.[Mi], n[Mi]), u[i] = l, u[Mi] = n[Mi];
			else {
				var g = u[i];
				if (l !== g || l === void 0 && e.hasAttribute(i)) {
					u[i] = l;
					var _ = i[0] + i[1];
					if (_ !== "$$") {
						if (_ === "on") {
							let t = {}, n = "$$" + i, r = i.slice(2);
							var v = Cr(r);
							if (xr(r) && (r = r.slice(0, -7), t.capture = !0), !v && g) {
								if (l != null) continue;
								e.removeEventListener(r, u[n], t), u[n] = null;
							}
							if (v) W(r, e, l), Pr([r]);
							else if (l != null) {
								function a(e) {
									u[i].call(this, e);
								}
								u[n] = Mr(r, e, a, t);
							}
						} else if (i === "style") Z(e, i, l);
						else if (i === "autofocus") ut(e, !!l);
						else if (!s && (i === "__value" || i === "value" && l != null)) e.__value = l, (g == null || e.value !== l || l === 0 && e.nodeName === zi) && (e.value = l);
						else if (i === "selected" && d) Ci(e, l);
						else {
							var y = i;
							c || (y = Er(y));
							var b = y === "defaultValue" || y === "defaultChecked";
							if (f && y === "defaultValue") continue;
							if (l == null && !s && !b) {
								if (o[i] = null, y === "value" || y === "checked") {
									let n = e, r = t === void 0;
									if (y === "value") {
										let e = n.defaultValue;
										n.removeAttribute(y), n.defaultValue = e, n.value = n.__value = r ? e : null;
									} else {
										let e = n.defaultChecked;
										n.removeAttribute(y), n.defaultChecked = e, n.checked = r ? e : !1;
									}
								} else e.removeAttribute(i);
							} else b || (s || typeof l != "string") && m.has(y) ? (e[y] = l, y in o && (o[y] = T)) : typeof l != "function" && Z(e, y, l, a);
						}
					}
				}
			}
		}
	} finally {
		l && we(!0);
	}
	return u;
}
function Wi(e, t, n = [], r = [], i = [], a, o = !1, s = !1) {
	ht(i, n, r, (n) => {
		var r = void 0, i = {}, c = e.nodeName === Ri, l = !1;
		if (Pn(() => {
			var u = t(...n.map(U)), d = Ui(e, r, u, a, o, s);
			if (l && c) {
				var f = e;
				"defaultValue" in u && wi(f, u.defaultValue), "value" in u && Ei(f, u.value);
			}
			for (let e of Object.getOwnPropertySymbols(i)) u[e] || zn(i[e]);
			for (let t of Object.getOwnPropertySymbols(u)) {
				var p = u[t];
				t.description === "@attach" && (!r || p !== r[t]) && (i[t] && zn(i[t]), i[t] = Fn(() => fi(e, () => p))), d[t] = p;
			}
			r = d;
		}), c) {
			var u = e;
			An(() => {
				var e = r;
				"defaultValue" in e && wi(u, e.defaultValue), Ei(u, e.value, !0), Di(u);
			});
		}
		l = !0;
	});
}
function Gi(e) {
	return e[le] ??= {
		[Ni]: e.nodeName.includes("-"),
		[Pi]: e.namespaceURI === _e
	};
}
var Ki = /* @__PURE__ */ new Map();
function qi(e) {
	var t = e.getAttribute("is") || e.nodeName, n = Ki.get(t);
	if (n) return n;
	Ki.set(t, n = /* @__PURE__ */ new Set());
	for (var r, i = e, a = Element.prototype; a !== i;) {
		for (var s in r = o(i), r) r[s].set && s !== "innerHTML" && s !== "textContent" && s !== "innerText" && n.add(s);
		i = l(i);
	}
	return n;
}
//#endregion
//#region node_modules/svelte/src/internal/client/dom/elements/bindings/input.js
function Ji(e, t, n = t) {
	var r = /* @__PURE__ */ new WeakSet();
	mt(e, "input", async (i) => {
		var a = i ? e.defaultValue : e.value;
		if (a = Xi(e) ? Zi(a) : a, n(a), M !== null && r.add(M), await _r(), a !== (a = t())) {
			var o = e.selectionStart, s = e.selectionEnd, c = e.value.length;
			if (e.value = a ?? "", s !== null) {
				var l = e.value.length;
				o === s && s === c && l > c ? (e.selectionStart = l, e.selectionEnd = l) : (e.selectionStart = o, e.selectionEnd = Math.min(s, l));
			}
		}
	}), (E && e.defaultValue !== e.value || br(t) == null && e.value) && (n(Xi(e) ? Zi(e.value) : e.value), M !== null && r.add(M)), Mn(() => {
		var n = t();
		if (e === document.activeElement) {
			var i = M;
			if (r.has(i)) return;
		}
		Xi(e) && n === Zi(e.value) || (e.type !== "date" || n || e.value) && n !== e.value && (e.value = n ?? "");
	});
}
function Yi(e, t, n = t) {
	mt(e, "change", (t) => {
		n(t ? e.defaultChecked : e.checked);
	}), (E && e.defaultChecked !== e.checked || br(t) == null) && n(e.checked), Mn(() => {
		e.checked = !!t();
	});
}
function Xi(e) {
	var t = e.type;
	return t === "number" || t === "range";
}
function Zi(e) {
	return e === "" ? null : +e;
}
var Qi = /* @__PURE__ */ new class e {
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
function $i(e, t, n) {
	var r = Qi.observe(e, () => n(e[t]));
	An(() => (br(() => n(e[t])), r));
}
//#endregion
//#region node_modules/svelte/src/internal/client/dom/elements/bindings/this.js
function ea(e, t) {
	return e === t || e?.[ae] === t;
}
function ta(e = et(), t, n, r) {
	var i = Xe.r, a = H;
	return An(() => {
		var o, s;
		return Mn(() => {
			o = s, s = r?.() || [], br(() => {
				ea(n(...s), e) || (t(e, ...s), o && ea(n(...o), e) && t(null, ...o));
			});
		}), () => {
			let r = a;
			for (; r !== i && r.parent !== null && r.parent.f & 33554432;) r = r.parent;
			let o = () => {
				s && ea(n(...s), e) && t(null, ...s);
			}, c = r.teardown;
			r.teardown = () => {
				o(), c?.();
			};
		};
	}), e;
}
//#endregion
//#region node_modules/svelte/src/internal/client/reactivity/store.js
var na = !1;
function ra(e) {
	var t = na;
	try {
		return na = !1, [e(), na];
	} finally {
		na = t;
	}
}
//#endregion
//#region node_modules/svelte/src/internal/client/reactivity/props.js
function ia(e, t, n, r) {
	var i = !0, o = !!(n & 8), s = !!(n & 16), c = r, l = !0, u = void 0, d = () => s && i ? (u ??= /* @__PURE__ */ yt(r), U(u)) : (l && (l = !1, c = s ? br(r) : r), c);
	let f;
	if (o) {
		var p = ae in e || se in e;
		f = a(e, t)?.set ?? (p && t in e ? (n) => e[t] = n : void 0);
	}
	var m, h = !1;
	o ? [m, h] = ra(() => e[t]) : m = e[t], m === void 0 && r !== void 0 && (m = d(), f && (i && Be(t), f(m)));
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
	var v = !1, y = (n & 1 ? yt : St)(() => (v = !1, g()));
	o && U(y);
	var b = H;
	return (function(e, t) {
		if (arguments.length > 0) {
			let n = t ? U(y) : i && o ? an(e) : e;
			return P(y, n), v = !0, c !== void 0 && (c = n), e;
		}
		return Jn && v || b.f & 16384 ? y.v : U(y);
	});
}
//#endregion
//#region node_modules/svelte/src/internal/disclose-version.js
typeof window < "u" && ((window.__svelte ??= {}).v ??= /* @__PURE__ */ new Set()).add("5");
//#endregion
//#region src/draw/theme.ts
var aa = {
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
}, oa = "ui-sans-serif, system-ui, -apple-system, \"Segoe UI\", Roboto, \"Noto Sans\", sans-serif";
function sa(e, t = null) {
	return e === "system" ? (t && ca(t)) ?? matchMedia("(prefers-color-scheme: dark)").matches : e === "dark";
}
function ca(e) {
	let t = e;
	for (; t;) {
		let [e, n, r, i] = la(getComputedStyle(t).backgroundColor);
		if (i > 127) return .2126 * e + .7152 * n + .0722 * r < 110;
		let a = t.getRootNode();
		t = t.assignedSlot ?? t.parentElement ?? (a instanceof ShadowRoot ? a.host : null);
	}
	return null;
}
function la(e) {
	let t = document.createElement("canvas");
	t.width = t.height = 1;
	let n = t.getContext("2d");
	return n.fillStyle = e, n.fillRect(0, 0, 1, 1), n.getImageData(0, 0, 1, 1).data;
}
function ua(e) {
	let t = matchMedia("(prefers-color-scheme: dark)"), n = () => {
		e(), setTimeout(e, 250);
	}, r = new MutationObserver(n);
	t.addEventListener("change", n);
	for (let e of [document.documentElement, document.body]) r.observe(e, { attributes: !0 });
	return () => {
		t.removeEventListener("change", n), r.disconnect();
	};
}
//#endregion
//#region src/draw/marks.ts
function da(e, t) {
	e.lineCap = "butt";
	for (let n = 0; n < t.length; n++) {
		let r = t[n];
		switch (r.type) {
			case "line":
				n = ma(e, t, n);
				break;
			case "box":
				e.globalAlpha = r.alpha, e.fillStyle = r.colour, e.fillRect(r.x, r.y, r.width, r.height);
				break;
			case "words":
				ga(e, r);
				break;
			case "raster": e.globalAlpha = r.alpha ?? 1, e.imageSmoothingEnabled = !1, e.drawImage(r.source, r.x, r.y, r.width, r.height);
		}
	}
	e.globalAlpha = 1;
}
var fa = 24, pa = 400;
function ma(e, t, n) {
	let r = n;
	for (; r < t.length && t[r].type === "line";) r++;
	let i = t.slice(n, r);
	if (i.length < pa) i.forEach((t) => ha(e, t, [t]));
	else {
		let t = /* @__PURE__ */ new Map();
		for (let e of i) {
			let n = `${Math.ceil(e.alpha * fa)} ${e.colour}`, r = t.get(n);
			r ? r.push(e) : t.set(n, [e]);
		}
		for (let n of t.values()) ha(e, n[n.length >> 1], n);
	}
	return r - 1;
}
function ha(e, { colour: t, alpha: n, width: r }, i) {
	e.globalAlpha = n, e.strokeStyle = t, e.lineWidth = r, e.beginPath();
	for (let { from: t, to: n, bend: r } of i) e.moveTo(...t), r ? e.bezierCurveTo(..._a(t, n, r), ...n) : e.lineTo(...n);
	e.stroke();
}
function ga(e, t) {
	e.globalAlpha = 1, e.fillStyle = t.colour, e.font = `${t.bold ? "600 " : ""}${t.size}px ${oa}`, e.textAlign = t.anchor === "middle" ? "center" : t.anchor === "end" ? "right" : "left", e.textBaseline = "middle", e.direction = "ltr", e.save(), e.translate(t.x, t.y), t.turn && e.rotate(t.turn * Math.PI / 180), e.fillText(t.text, 0, 0), e.restore();
}
function _a(e, t, n) {
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
function va({ width: e, height: t, marks: n }, r) {
	let i = ya(n).join("\n");
	return `<svg xmlns="http://www.w3.org/2000/svg" width="${Ca(e)}" height="${Ca(t)}" viewBox="0 0 ${Ca(e)} ${Ca(t)}" font-family="${wa(oa)}">
<rect width="100%" height="100%" fill="${r}"/>
${i}
</svg>
`;
}
function ya(e) {
	let t = [];
	for (let n = 0; n < e.length; n++) {
		let r = e[n];
		if (r.type !== "line") {
			t.push(Sa(r));
			continue;
		}
		let i = ba(r), a = [xa(r)];
		for (let t = e[n + 1]; t?.type === "line" && ba(t) === i; t = e[n + 1]) a.push(xa(t)), n++;
		t.push(`<path d="${a.join("")}" ${i}/>`);
	}
	return t;
}
var ba = ({ colour: e, alpha: t, width: n }) => `fill="none" stroke="${e}" stroke-opacity="${Ca(t, 50)}" stroke-width="${Ca(n, 10)}"`;
function xa({ from: e, to: t, bend: n }) {
	let r = (e) => e.map((e) => Ca(e, 10)).join(" ");
	return `M${r(e)}${n ? `C${r(_a(e, t, n))} ${r(t)}` : `L${r(t)}`}`;
}
function Sa(e) {
	switch (e.type) {
		case "box": return `<rect x="${Ca(e.x)}" y="${Ca(e.y)}" width="${Ca(e.width)}" height="${Ca(e.height)}" fill="${e.colour}" fill-opacity="${Ca(e.alpha)}"/>`;
		case "words": {
			let t = e.turn ? ` transform="rotate(${e.turn} ${Ca(e.x)} ${Ca(e.y)})"` : "", n = e.bold ? " font-weight=\"600\"" : "";
			return `<text x="${Ca(e.x)}" y="${Ca(e.y)}" font-size="${e.size}" fill="${e.colour}" text-anchor="${e.anchor}" dominant-baseline="central"${n}${t}>${wa(e.text)}</text>`;
		}
		case "raster": return `<image x="${Ca(e.x)}" y="${Ca(e.y)}" width="${Ca(e.width)}" height="${Ca(e.height)}" preserveAspectRatio="none" style="image-rendering:pixelated" href="${e.source.toDataURL("image/png")}"/>`;
	}
}
var Ca = (e, t = 1e3) => Math.round(e * t) / t;
function wa(e) {
	return e.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "�").replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
}
function Ta(e, t, n) {
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
function Ea(e, t = 28) {
	let n = [...e];
	return n.length > t ? n.slice(0, t - 1).join("") + "…" : e;
}
//#endregion
//#region src/core/strength.ts
var Da = [
	.001,
	.002,
	.005,
	.01,
	.02,
	.03,
	.05,
	.1,
	.2,
	.3,
	.5
], Oa = .01, ka = 4e3, Aa = 12e3;
function ja(e, t) {
	let n = [], r = e.rows.length - 1, i = t ? Math.max(1, Math.floor(r / 512)) : 1;
	for (let t = 0; t < r; t += i) {
		let r = 0;
		for (let n = e.rows[t]; n < e.rows[t + 1]; n++) r = Math.max(r, Math.abs(e.weight[n]));
		n.push(r);
	}
	return n.sort((e, t) => e - t), (t ? n[Math.floor((n.length - 1) * .9)] : n.at(-1)) || 1;
}
function Ma(e, t = 1) {
	let n = Da.filter((e) => e >= Oa), r = Array(n.length).fill(0);
	for (let { weight: i } of e) for (let e of i) for (let i = 0; i < n.length && Math.abs(e) >= n[i] * t; i++) r[i]++;
	let i = r.findIndex((e) => e <= ka);
	return n[i < 0 ? n.length - 1 : i] * t;
}
function Na(e, t, n = Aa) {
	let r = 0;
	for (let { weight: n } of e) for (let e of n) Math.abs(e) >= t && r++;
	if (r <= n) return t;
	let i = new Float32Array(r), a = 0;
	for (let { weight: n } of e) for (let e of n) Math.abs(e) >= t && (i[a++] = Math.abs(e));
	return i.sort(), i[r - n];
}
function Pa(e) {
	let t = new Int32Array(e.rows.length - 1).fill(-1);
	for (let n = 0; n < t.length; n++) for (let r = e.rows[n]; r < e.rows[n + 1]; r++) (t[n] < 0 || Math.abs(e.weight[r]) > Math.abs(e.weight[t[n]])) && (t[n] = r);
	return t;
}
function Fa(e, t, n) {
	let r = 0;
	for (let { links: n, best: i } of e) {
		for (let e of n.weight) Math.abs(e) >= t && (r += Math.abs(e));
		for (let e of i ?? []) e >= 0 && Math.abs(n.weight[e]) < t && (r += Math.abs(n.weight[e]));
	}
	return n > 0 ? Math.min(1, r / n) : 1;
}
var Ia = (e, t) => Math.min(1, Math.abs(e) / t), La = (e) => e ** 1.1, Ra = (e, t = 1) => .03 + .97 * e ** Math.min(1.3, .75 + .05 * (t - 1)), za = 8, Ba = null;
function Va(e) {
	return Ba ??= document.createElement("canvas").getContext("2d"), Ba.font = `14px ${oa}`, Ba.measureText(e.slice(0, 80)).width;
}
function Ha(e, t, n, r, i = Va, a = 0) {
	return e === "columns" ? Ua(t, n, r, i, a) : Wa(t, n, r, i);
}
function Ua(e, t, n, r, i) {
	let a = Math.max(56, n * .3 - 46), [o, s] = [e, t].map((e) => Math.min(a, Ga(e, r) + 16)), c = i + o + s + 108, l = Math.min(Math.max(n - c, 90), Math.max(260, Math.min(460, n * .4))), u = Math.max(n, c + l), d = Math.floor((u - c - l) / 2) + i + za + 46;
	return {
		layout: "columns",
		width: u,
		height: Math.max(e.length, t.length) * 24 + 16,
		query: e.map((e, t) => ({
			x: d,
			y: za + t * 24,
			width: o,
			height: 24
		})),
		key: t.map((e, t) => ({
			x: d + o + l,
			y: za + t * 24,
			width: s,
			height: 24
		}))
	};
}
function Wa(e, t, n, r) {
	let i = (e, t) => {
		let n = za;
		return e.map((e) => {
			let i = Math.min(200, Math.max(40, r(e.text) + 14)), a = {
				x: n,
				y: t,
				width: i,
				height: 28
			};
			return n += i, a;
		});
	}, a = i(e, 32), o = i(t, 316), s = Math.max(...[a, o].map((e) => (e.at(-1)?.x ?? 0) + (e.at(-1)?.width ?? 0))) + za, c = Math.max(0, (n - s) / 2);
	for (let e of [...a, ...o]) e.x += c;
	return {
		layout: "rows",
		width: Math.max(n, s),
		height: 372,
		query: a,
		key: o
	};
}
function Ga(e, t) {
	let n = [...e].sort((e, t) => t.text.length - e.text.length).slice(0, 40);
	return Math.max(24, ...n.map((e) => t(e.text)));
}
function Ka(e, t, n) {
	let r = e[t][n];
	return e.layout === "columns" ? [t === "query" ? r.x + r.width : r.x, r.y + r.height / 2] : [r.x + r.width / 2, t === "query" ? r.y + r.height : r.y];
}
function qa(e, t, n) {
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
//#endregion
//#region src/draw/bipartite.ts
function Ja(e, t) {
	let n = (e) => t.filter(([t]) => t === e).map(([, e]) => e), r = n("query"), i = n("key");
	return {
		toKeys: r.length ? e.map((e) => Ya(r.map((t) => e.row(t)))) : [],
		fromQueries: i.length ? e.map((e) => Ya(i.map((t) => e.column(t)))) : []
	};
}
function Ya(e) {
	let t = new Float32Array(e[0].length);
	for (let n of e) for (let r = 0; r < t.length; r++) t[r] += n[r] / e.length;
	return t;
}
var Xa = (e) => ({
	query: [0, e.query.length],
	key: [0, e.key.length]
});
function Za(e, t, n, r, i) {
	let a = (e) => new Set(n.filter(([t]) => t === e).map(([, e]) => e)), [o, s] = [a("query"), a("key")], c = n.length === 0, l = e.layout === "columns" ? "x" : "y", u = [], { heads: d, least: f, ceiling: p, signed: m } = t, h = c ? d.length > 4 ? 1.1 : 2 : 2.6;
	return d.forEach(({ colour: t, links: n, incoming: a, best: g }, _) => {
		let v = (_ - (d.length - 1) / 2) * Math.min(3, 15 / d.length), y = (r, a, o) => {
			let s = n.weight[o];
			if (Math.abs(s) < f && (!g || g[r] !== o && c)) return;
			let _ = Ia(s, p), [y, b] = [Ka(e, "query", r), Ka(e, "key", a)];
			y[+(l === "x")] += v, b[+(l === "x")] += v;
			let x = m ? s > 0 ? i.positive : i.negative : t;
			u.push({
				type: "line",
				from: y,
				to: b,
				bend: l,
				colour: x,
				alpha: c ? Ra(_, d.length) : La(_),
				width: .6 + h * _
			});
		}, [b, x] = r.query, S = (e) => {
			for (let t = n.rows[e]; t < n.rows[e + 1]; t++) (c || o.has(e) || s.has(n.to[t])) && y(e, n.to[t], t);
		}, C = (e) => {
			for (let t = a.columns[e]; t < a.columns[e + 1]; t++) {
				let n = a.from[t];
				(c ? n < b || n >= x : !o.has(n)) && y(n, e, a.at[t]);
			}
		};
		if (c) {
			for (let e = b; e < x; e++) S(e);
			for (let e = r.key[0]; e < r.key[1]; e++) C(e);
		} else {
			for (let e of o) S(e);
			for (let e of s) C(e);
		}
	}), u.sort((e, t) => e.alpha - t.alpha);
}
function Qa(e, t, n, r, i, a) {
	let o = [];
	return n.forEach((s, c) => s.forEach((s, l) => {
		let u = Ia(s, i);
		if (u < .004) return;
		let d = e[t][l], f = d.width / n.length;
		o.push({
			type: "box",
			x: d.x + c * f,
			y: d.y + 1,
			width: f,
			height: d.height - 2,
			colour: a ? s > 0 ? a.positive : a.negative : r[c],
			alpha: .85 * La(u)
		});
	})), o;
}
function $a(e, t, n, { page: r }) {
	let i = /* @__PURE__ */ new Map(), a = [], o = [["key", t.toKeys], ["query", t.fromQueries]];
	for (let [t, s] of o) s.forEach((o, s) => {
		let c = o.reduce((e, t, n) => Math.abs(t) > Math.abs(o[e]) ? n : e, 0);
		if (Math.abs(o[c] ?? 0) < .02) return;
		let l = `${t} ${c}`, u = i.get(l) ?? 0;
		i.set(l, u + 1);
		let [d, f] = Ka(e, t, c), p = e.layout === "columns", m = (12 + u * 17) * (t === "key" ? -1 : 1), [h, g] = p ? [d + m, f] : [d, f + m];
		a.push({
			type: "box",
			x: h - 8,
			y: g - 6,
			width: 16,
			height: 12,
			colour: r,
			alpha: .85
		}), a.push({
			type: "words",
			x: h,
			y: g,
			text: String(n[s].head),
			size: 11,
			colour: n[s].colour,
			anchor: "middle",
			bold: !0
		});
	});
	return a;
}
function eo(e, [t, n], r, { quiet: i, raised: a }) {
	let o = [];
	if (e.layout === "columns" && (e.query[0]?.x ?? 0) < 86) return [];
	for (let s = t; s < n; s++) {
		let t = r(s);
		if (t === null) continue;
		let n = e.query[s], c = e.layout === "columns", [l, u, d, f] = c ? [
			n.x - 46 - 40,
			n.y + n.height / 2 - 3,
			34,
			6
		] : [
			n.x + 2,
			n.y - 20,
			n.width - 4,
			4
		];
		o.push({
			type: "box",
			x: l,
			y: u,
			width: d,
			height: f,
			colour: a,
			alpha: 1
		}), o.push({
			type: "box",
			x: c ? l + d * (1 - t) : l,
			y: u,
			width: d * t,
			height: f,
			colour: i,
			alpha: .9
		});
	}
	return o;
}
function to(e, t, n, r) {
	return ["query", "key"].flatMap((i) => t[i].flatMap((t, a) => {
		let o = e[i][a], s = e.layout === "columns" ? i === "query" ? "end" : "start" : "middle", c = {
			type: "words",
			x: s === "end" ? o.x + o.width - 8 : s === "start" ? o.x + 8 : o.x + o.width / 2,
			y: o.y + o.height / 2,
			text: Ea(t.text),
			size: 14,
			colour: r.ink,
			anchor: s
		}, l = n[i]?.[a] ?? 0;
		return Math.abs(l) < .005 ? [c] : [c, {
			type: "words",
			...qa(e, i, a),
			text: Q(l),
			size: 12,
			colour: r.quiet
		}];
	}));
}
function no({ low: e, high: t }) {
	let [n, r] = [Q(e), Q(t)];
	return n === r ? n : e === 0 ? `< ${r.replace("<", "")}` : `${n} to ${r}`;
}
function Q(e) {
	let t = Math.abs(e);
	return t < 5e-4 ? t > 0 ? "<0.001" : "0" : (e < 0 ? "−" : "") + (t >= 9.995 ? t.toPrecision(3) : t >= .0995 ? t.toFixed(2) : t.toFixed(3));
}
function ro({ least: e, cut: t, mass: n, heads: r }) {
	let i = r.some(({ best: e }) => e) ? ", and each token's strongest" : "", a = n > .995 ? "all" : `${Math.round(n * 100)}%`;
	return `links of ${Q(e)} and more${i}: ${a} of the attention${t ? " (more would be too many to draw)" : ""}`;
}
function io(e, t, n, r, i, a) {
	let o = [], [s, c] = [r, i + 11], l = (e, t, i) => {
		let l = 22 + Va(i) * (12 / 14) + 14;
		s + l > r + a && s > r && ([s, c] = [r, c + 22]), o.push({
			type: "line",
			from: [s, c],
			to: [s + 16, c],
			colour: e,
			alpha: Ra(t),
			width: .6 + 2.4 * t
		}), o.push({
			type: "words",
			x: s + 21,
			y: c,
			text: i,
			size: 12,
			colour: n.ink,
			anchor: "start"
		}), s += l;
	};
	e.signed ? (l(n.positive, 1, "above 0"), l(n.negative, 1, "below 0")) : t.length > 1 && e.heads.forEach(({ colour: e }, n) => l(e, 1, t[n]));
	let u = t.length === 1 && !e.signed ? e.heads[0].colour : n.quiet;
	for (let t of [
		.25,
		.5,
		1
	]) l(u, t, (t === 1 ? "≥ " : "") + Q(t * e.ceiling));
	return c += 22, o.push({
		type: "words",
		x: r,
		y: c,
		text: ro(e),
		size: 11,
		colour: n.quiet,
		anchor: "start"
	}), {
		marks: o,
		height: c + 11 - i
	};
}
function ao(e, t, n, r, i) {
	let a = [], [o, s] = [n, r + 11];
	for (let { name: r, count: c } of e.names.counted(t, e.attention.attention)) {
		let t = `${r.title} ${c}`, l = 15 + Va(t) * (12 / 14) + 14;
		o + l > n + i && o > n && ([o, s] = [n, s + 22]), a.push({
			type: "box",
			x: o,
			y: s - 5,
			width: 10,
			height: 10,
			colour: r[e.dark ? "dark" : "light"],
			alpha: 1
		}), a.push({
			type: "words",
			x: o + 15,
			y: s,
			text: t,
			size: 12,
			colour: e.colours.ink,
			anchor: "start"
		}), o += l;
	}
	return {
		marks: a,
		height: s + 11 - r
	};
}
//#endregion
//#region src/parts/dragging.svelte.ts
var oo = 8;
function so(e, t, n, r, i) {
	let a = ([e, t]) => [e - n.left + r.x, t - n.top + r.y];
	e.strokeStyle = i, e.lineWidth = 2, e.setLineDash([5, 4]), e.beginPath(), e.moveTo(...a(t.from)), e.lineTo(...a(t.to)), e.stroke(), e.setLineDash([]);
}
function co(e) {
	let t = /* @__PURE__ */ N(null), n = /* @__PURE__ */ N(null), r = null, i = 0, a = (e, t) => {
		let n = (document.elementFromPoint(e, t)?.shadowRoot ?? document).elementFromPoint(e, t)?.closest("[data-end][data-index]");
		return n ? [n.dataset.end, Number(n.dataset.index)] : null;
	};
	function o(e) {
		if (e.button !== 0 || e.pointerType === "touch") return;
		let t = e.target.closest("[data-end][data-index]");
		t && (r = {
			pin: [t.dataset.end, Number(t.dataset.index)],
			at: [e.clientX, e.clientY],
			pointer: e.pointerId
		});
	}
	function s(i) {
		if (!r || i.pointerId !== r.pointer) return;
		if (!(i.buttons & 1)) return u();
		let [o, s] = r.at;
		if (!U(t) && Math.hypot(i.clientX - o, i.clientY - s) < oo) return;
		e.hover = null, P(t, {
			from: r.at,
			to: [i.clientX, i.clientY]
		});
		let c = a(i.clientX, i.clientY);
		P(n, c && (c[0] !== r.pin[0] || c[1] !== r.pin[1]) ? c : null);
	}
	function c() {
		r && U(t) && (i = performance.now(), U(n) && l(r.pin, U(n))), u();
	}
	function l([t, n], [r, i]) {
		t === "key" && r === "query" ? e.ask(i, n) : e.ask(n, i);
	}
	function u() {
		r = P(t, P(n, null));
	}
	return {
		get line() {
			return U(t);
		},
		get over() {
			return U(n);
		},
		isClick: () => performance.now() - i > 50,
		handlers: {
			onpointerdown: o,
			onpointermove: s,
			onpointerup: c,
			onpointercancel: u
		}
	};
}
//#endregion
//#region src/parts/Surface.svelte
var lo = /* @__PURE__ */ G("<div class=\"surface svelte-tu9u91\"><div class=\"content svelte-tu9u91\"><canvas aria-hidden=\"true\" class=\"svelte-tu9u91\"></canvas> <!></div></div>");
function uo(e, t) {
	k(t, !0);
	let n = ia(t, "room", 15), r, i, a = /* @__PURE__ */ N({
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
	function c(e, t) {
		r.scrollTo({
			left: e - r.clientWidth / 2,
			top: t - r.clientHeight / 2
		});
	}
	function l(e, t) {
		let n = Math.min(e, Math.max(r.scrollTop, e + t - r.clientHeight));
		n !== r.scrollTop && (r.scrollTop = n, s());
	}
	function u() {
		r.scrollTop = 0;
	}
	z(() => {
		let e = new ResizeObserver(s);
		return e.observe(r), () => e.disconnect();
	}), z(() => {
		let e = Math.round(U(a).width * U(o)), n = Math.round(Math.min(U(a).height, t.height) * U(o));
		i.width !== e && (i.width = e), i.height !== n && (i.height = n);
		let r = i.getContext("2d");
		r.setTransform(1, 0, 0, 1, 0, 0), r.clearRect(0, 0, e, n), r.setTransform(U(o), 0, 0, U(o), -U(a).x * U(o), -U(a).y * U(o)), t.draw(r, U(a));
	});
	var d = {
		reveal: c,
		ensure: l,
		toTop: u
	}, f = lo(), p = F(f);
	let m;
	var h = F(p);
	let g;
	return ta(h, (e) => i = e, () => i), ui(R(h, 2), () => t.children, () => U(a)), O(p), O(f), ta(f, (e) => r = e, () => r), B((e) => {
		m = X(p, "", m, {
			width: `${t.width ?? ""}px`,
			height: `${t.height ?? ""}px`
		}), g = X(h, "", g, {
			width: `${U(a).width ?? ""}px`,
			height: e
		});
	}, [() => `${Math.min(U(a).height, t.height)}px`]), Nr("scroll", f, s), K(e, f), A(d);
}
//#endregion
//#region src/parts/Bipartite.svelte
var fo = /* @__PURE__ */ G("<div class=\"sides svelte-18nj9xk\"><span class=\"query svelte-18nj9xk\"> </span> <span class=\"svelte-18nj9xk\"> </span></div>"), po = /* @__PURE__ */ G("<span aria-hidden=\"true\" title=\"on the first token, left out\"> </span>"), mo = /* @__PURE__ */ G("<span aria-hidden=\"true\"> </span>"), ho = /* @__PURE__ */ G("<button type=\"button\"><bdi class=\"svelte-18nj9xk\"> </bdi></button> <!> <!>", 1), go = /* @__PURE__ */ G("<div role=\"group\"></div>"), _o = /* @__PURE__ */ G("<!> <div><!></div>", 1);
function vo(e, t) {
	k(t, !0);
	let n = Qe("store"), r = /* @__PURE__ */ N(600), i = an({
		query: 0,
		key: 0
	}), a, o = /* @__PURE__ */ N(void 0), s = co(n), c = /* @__PURE__ */ j(() => n.hasProbabilities ? 40 : 0), l = /* @__PURE__ */ j(() => Ha(n.selection.layout, n.queries, n.keys, U(r), Va, U(r) > 480 ? U(c) : 0)), u = /* @__PURE__ */ j(() => n.drawn(t.heads, t.layer)), f = /* @__PURE__ */ j(() => t.heads.map((e) => n.unitMap(e, t.layer))), p = /* @__PURE__ */ j(() => Ja(U(f), n.active)), m = /* @__PURE__ */ j(() => n.active.length > 0 ? n.activeCeiling(t.heads, t.layer) : U(u).ceiling), h = /* @__PURE__ */ j(() => ({
		query: U(p).fromQueries.length ? Ya(U(p).fromQueries) : null,
		key: U(p).toKeys.length ? Ya(U(p).toKeys) : null
	}));
	function g(e, r) {
		let i = t.heads.map((e) => n.colourOf(e, t.layer)), a = U(u).signed ? n.colours : null;
		return [
			...n.hasProbabilities ? eo(e, r.query, (e) => n.probability(e), n.colours) : [],
			...Qa(e, "query", U(p).fromQueries, i, U(m), a),
			...Qa(e, "key", U(p).toKeys, i, U(m), a),
			...Za(e, {
				...U(u),
				ceiling: U(m)
			}, n.active, r, n.colours),
			...t.heads.length > 1 ? $a(e, U(p), U(u).heads, n.colours) : []
		];
	}
	function _({ y: e, height: t }, n = 0) {
		if (U(l).layout === "rows") return Xa(U(l));
		let r = (r) => {
			let i = Math.floor((e - 8 - n) / 24), a = Math.ceil((e + t - 8 + n) / 24);
			return [Math.max(0, Math.min(r, i)), Math.max(0, Math.min(r, a))];
		};
		return {
			query: r(U(l).query.length),
			key: r(U(l).key.length)
		};
	}
	function v(e, t) {
		da(e, g(U(l), _(t))), s.line && so(e, s.line, a.getBoundingClientRect(), t, n.colours.accent);
	}
	function y() {
		let { layout: e } = n.selection;
		if (Math.max(n.queries.length, n.keys.length) > 1500) return null;
		let r = Ha(e, n.queries, n.keys, e === "columns" ? 520 : 300, Va, U(c)), i = io({
			...U(u),
			ceiling: U(m)
		}, t.heads.map((e) => n.nameOf(e, t.layer)), n.colours, 12, r.height, r.width - 24), a = to(r, {
			query: n.queries,
			key: n.keys
		}, U(h), n.colours);
		return {
			width: r.width,
			height: r.height + i.height,
			marks: [
				...g(r, Xa(r)),
				...a,
				...i.marks
			]
		};
	}
	function b(e, t) {
		let n = [];
		if (U(l).layout === "columns") {
			let [r, i] = _(t, 100)[e];
			for (let e = r; e < i; e++) n.push(e);
		} else U(l)[e].forEach(({ x: e, width: r }, i) => {
			e + r > t.x - 200 && e < t.x + t.width + 200 && n.push(i);
		});
		let r = i[e];
		return !n.includes(r) && r < U(l)[e].length && n.push(r), n;
	}
	async function x(e, t) {
		let n = U(l)[e].length - 1;
		i[e] = Math.max(0, Math.min(n, t)), await _r();
		let r = a.querySelector(`[data-end="${e}"][data-index="${i[e]}"]`);
		r?.focus(), r?.scrollIntoView({
			block: "nearest",
			inline: "nearest"
		});
	}
	z(() => {
		let e = n.found?.unit;
		e !== void 0 && U(l).query[e] && U(o)?.reveal(U(l).query[e].x, U(l).query[e].y);
	});
	function S(e, t, n) {
		let r = t === "query" ? "key" : "query", i = U(l).layout === "columns" ? ["ArrowUp", "ArrowDown"] : ["ArrowLeft", "ArrowRight"], a = U(l).layout === "columns" ? ["ArrowLeft", "ArrowRight"] : ["ArrowUp", "ArrowDown"], o = {
			[i[0]]: () => x(t, n - 1),
			[i[1]]: () => x(t, n + 1),
			[a[0]]: () => t === "key" && x(r, n),
			[a[1]]: () => t === "query" && x(r, n),
			Home: () => x(t, 0),
			End: () => x(t, U(l)[t].length - 1),
			PageUp: () => x(t, n - 10),
			PageDown: () => x(t, n + 10)
		};
		o[e.key] && (e.preventDefault(), o[e.key]());
	}
	function C(e, t, r) {
		let i = U(h)[e]?.[t], a = e === "query" ? "from" : "to", o = i !== void 0 && Math.abs(i) >= 5e-4;
		return `${a} ${r}, token ${n.unitsAt(e)[t].start}${o ? `, weight ${Q(i)}` : ""}`;
	}
	var w = { picture: y }, ee = _o(), te = I(ee), ne = (e) => {
		var t = fo(), r = F(t);
		let i;
		var a = L(r, !0), o = R(r, 2);
		let s;
		var c = L(o, !0);
		O(t), B(() => {
			i = X(r, "", i, {
				left: `${U(l).query[0].x ?? ""}px`,
				width: `${U(l).query[0].width ?? ""}px`
			}), q(a, n.attention.queries), s = X(o, "", s, {
				left: `${U(l).key[0].x ?? ""}px`,
				width: `${U(l).key[0].width ?? ""}px`
			}), q(c, n.attention.keys);
		}), K(e, t);
	};
	J(te, (e) => {
		n.attention.queries !== n.attention.keys && U(l).layout === "columns" && U(l).query.length > 0 && U(l).key.length > 0 && e(ne);
	});
	var re = R(te, 2);
	return Wi(re, () => ({
		class: "bipartite",
		...s.handlers
	}), void 0, void 0, void 0, "svelte-18nj9xk"), ta(uo(F(re), {
		get width() {
			return U(l).width;
		},
		get height() {
			return U(l).height;
		},
		draw: v,
		get room() {
			return U(r);
		},
		set room(e) {
			P(r, e, !0);
		},
		children: (e, r = d) => {
			var a = Ur();
			Y(I(a), 16, () => ["query", "key"], (e) => e, (e, a) => {
				var o = go();
				Y(o, 20, () => b(a, r()), (e) => e, (e, r) => {
					let o = /* @__PURE__ */ j(() => n.unitsAt(a)[r]), c = /* @__PURE__ */ j(() => U(l)[a][r]), u = /* @__PURE__ */ j(() => U(h)[a]?.[r] ?? 0), d = /* @__PURE__ */ j(() => qa(U(l), a, r));
					var f = Ur(), p = I(f), m = (e) => {
						var f = ho(), p = I(f);
						let m, g;
						var _ = L(F(p), !0);
						O(p);
						var v = R(p, 2), y = (e) => {
							var i = po();
							let a;
							var o = L(i);
							B((e) => {
								xi(i, 1, `weight chip ${U(d).anchor ?? ""}`, "svelte-18nj9xk"), a = X(i, "", a, {
									left: `${U(d).x ?? ""}px`,
									top: `${U(d).y ?? ""}px`
								}), q(o, `${e ?? ""}%`);
							}, [() => Math.round(100 * n.firstShare(r, t.heads, t.layer))]), K(e, i);
						};
						J(v, (e) => {
							a === "query" && n.withoutFirst && U(h).query === null && r > 0 && e(y);
						});
						var b = R(v, 2), x = (e) => {
							var t = mo();
							let n;
							var i = L(t, !0);
							B((e) => {
								xi(t, 1, `weight ${U(d).anchor ?? ""}`, "svelte-18nj9xk"), Z(t, "data-weight-of", a), Z(t, "data-index", r), n = X(t, "", n, {
									left: `${U(d).x ?? ""}px`,
									top: `${U(d).y ?? ""}px`
								}), q(i, e);
							}, [() => Q(U(u))]), K(e, t);
						}, w = /* @__PURE__ */ j(() => Math.abs(U(u)) >= .005);
						J(b, (e) => {
							U(w) && e(x);
						}), B((e, t, u) => {
							m = xi(p, 1, `token ${U(l).layout ?? ""} ${a ?? ""}`, "svelte-18nj9xk", m, {
								hovered: n.hover?.[0] === a && n.hover[1] === r,
								generated: e,
								target: s.over?.[0] === a && s.over[1] === r
							}), Z(p, "data-end", a), Z(p, "data-index", r), Z(p, "aria-pressed", t), Z(p, "aria-label", u), Z(p, "title", U(o).text.length > 24 ? U(o).text : void 0), Z(p, "tabindex", i[a] === r ? 0 : -1), g = X(p, "", g, {
								left: `${U(c).x ?? ""}px`,
								top: `${U(c).y ?? ""}px`,
								width: `${U(c).width ?? ""}px`,
								height: `${U(c).height ?? ""}px`
							}), q(_, U(o).text);
						}, [
							() => n.isGenerated(a, r),
							() => n.isPinned(a, r),
							() => C(a, r, U(o).text.slice(0, 200))
						]), W("click", p, () => s.isClick() && (i[a] = r, n.togglePin(a, r))), Nr("pointerenter", p, (e) => e.pointerType === "mouse" && !s.line && (n.hover = [a, r])), Nr("pointerleave", p, () => !s.line && n.leave()), Nr("focus", p, (e) => e.currentTarget.matches(":focus-visible") && (n.hover = [a, r])), Nr("blur", p, () => n.hover = null), W("keydown", p, (e) => S(e, a, r)), K(e, f);
					};
					J(p, (e) => {
						U(o) && U(c) && e(m);
					}), K(e, f);
				}), O(o), B(() => Z(o, "aria-label", a === "query" ? "Tokens that attend" : "Tokens attended to")), K(e, o);
			}), K(e, a);
		},
		$$slots: { default: !0 }
	}), (e) => P(o, e, !0), () => U(o)), O(re), ta(re, (e) => a = e, () => a), K(e, ee), A(w);
}
Pr(["click", "keydown"]);
//#endregion
//#region src/parts/HeadPicker.svelte
var yo = /* @__PURE__ */ G("<small title=\"share on the first token, left out\" class=\"svelte-1l12xf4\"> </small>"), bo = /* @__PURE__ */ G("<button type=\"button\"> <!></button>"), xo = /* @__PURE__ */ G("<button type=\"button\" class=\"all svelte-1l12xf4\">All heads</button>"), So = /* @__PURE__ */ G("<p class=\"why svelte-1l12xf4\"> </p>"), Co = /* @__PURE__ */ G("<div role=\"group\"><!> <!></div> <!>", 1);
function wo(e, t) {
	k(t, !0);
	let n = ia(t, "single", 3, !1), r = Qe("store"), i, a = /* @__PURE__ */ j(() => {
		let { layer: e, heads: t, attention: n } = r.scene.selection;
		return r.layer.layer === e && r.attention.attention === n && r.heads.join() === t.join() ? r.scene.why : "";
	});
	function o(e, t, a) {
		let o = {
			ArrowLeft: -1,
			ArrowRight: 1
		}[e.key];
		if (o !== void 0) i.querySelectorAll("button")[t + o]?.focus();
		else if (!n() && e.key === "i" || !n() && e.key === "Enter" && e.shiftKey) r.isolateHead(a);
		else return;
		e.preventDefault();
	}
	function s(e) {
		let t = r.names.called(r.attention.attention, r.layer.layer, e);
		return t ? `: ${t.title}${r.scene.names_from === "text" ? " on this text" : ""}` : "";
	}
	let c = [];
	function l(e, t) {
		n() ? r.selection.heads = [t] : (e.detail <= 1 && (c = r.heads), r.toggleHead(t));
	}
	function u(e) {
		n() || (r.selection.heads = c, r.isolateHead(e));
	}
	var d = Co(), f = I(d);
	let p;
	var m = F(f);
	Y(m, 18, () => r.layer.heads, (e) => e, (e, t, i) => {
		let a = /* @__PURE__ */ j(() => n() ? r.heads[0] === t : r.heads.includes(t));
		var c = bo();
		let d, f;
		var p = F(c, !0), m = R(p), h = (e) => {
			var n = yo(), i = L(n);
			B((e) => q(i, `${e ?? ""}%`), [() => Math.round(100 * r.headFirst(t))]), K(e, n);
		};
		J(m, (e) => {
			r.withoutFirst && e(h);
		}), O(c), B((e, i, o, s) => {
			Z(c, "aria-pressed", U(a)), Z(c, "aria-label", `Head ${r.layer.layer ?? ""}.${t ?? ""}`), Z(c, "title", `Head ${r.layer.layer ?? ""}.${t ?? ""}${e ?? ""}${i ?? ""}${n() ? "" : ": click to switch, double-click to show alone (key i)"}`), d = xi(c, 1, "svelte-1l12xf4", null, d, {
				on: U(a),
				tiles: o
			}), f = X(c, "", f, { "--colour": s }), q(p, r.rollout ? "mean of all heads, through all layers below" : t);
		}, [
			() => s(t),
			() => r.hasRows(t) ? "" : " (tiles only)",
			() => !r.hasRows(t),
			() => r.colourOf(t)
		]), Nr("pointerenter", c, (e) => !n() && e.pointerType === "mouse" && (r.pointed = t)), Nr("pointerleave", c, () => r.pointed = null), W("click", c, (e) => l(e, t)), W("dblclick", c, () => u(t)), W("keydown", c, (e) => o(e, U(i), t)), K(e, c);
	});
	var h = R(m, 2), g = (e) => {
		var t = xo();
		B(() => t.disabled = r.heads.length === r.layer.heads.length), W("click", t, () => r.selection.heads = [...r.layer.heads]), K(e, t);
	};
	J(h, (e) => {
		n() || e(g);
	}), O(f), ta(f, (e) => i = e, () => i);
	var _ = R(f, 2), v = (e) => {
		var t = So(), n = L(t, !0);
		B(() => {
			Z(t, "title", U(a)), q(n, U(a));
		}), K(e, t);
	};
	J(_, (e) => {
		U(a) && e(v);
	}), B(() => {
		p = xi(f, 1, "picker svelte-1l12xf4", null, p, { many: r.layer.heads.length > 16 }), Z(f, "aria-label", `${r.rollout ? "Rollout to" : "Heads of"} layer ${r.layer.layer ?? ""}`);
	}), K(e, d), A();
}
Pr([
	"click",
	"dblclick",
	"keydown"
]);
//#endregion
//#region src/draw/bidi.ts
var To = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u, Eo = /[\p{L}\p{N}]/u, Do = /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Nko}]/u, Oo = "‍";
function ko(e) {
	for (let t of e) {
		if (To.test(t)) return "right";
		if (Eo.test(t)) return "left";
	}
	return null;
}
function Ao(e) {
	return To.test(e) ? `\u2068${e}\u2069` : e;
}
function jo(e, t = 18) {
	let n = Ea(e, t);
	return /^[\p{P}\p{S}\s]+$/u.test(n) ? `“${n}”` : Ao(n);
}
function Mo(e, t, n) {
	let r = (e) => e !== void 0 && Do.test(e), [i, a, o] = [
		[...e],
		[...t].at(-1),
		[...n][0]
	];
	return (r(i[0]) && r(a) ? Oo : "") + e + (r(i.at(-1)) && r(o) ? Oo : "");
}
function No(e, t) {
	let n = e.map((n, r) => {
		if (n) return n;
		let i = e.slice(0, r).reverse().find((e) => e !== null), a = e.slice(r + 1).find((e) => e !== null);
		return i && i === a ? i : t;
	}), r = [];
	return n.forEach((e, t) => {
		t > 0 && n[t - 1] === e ? r.at(-1).push(t) : r.push([t]);
	}), (t === "left" ? r : r.reverse()).map((e) => n[e[0]] === "right" ? e.reverse() : e);
}
//#endregion
//#region src/parts/Readout.svelte
var Po = /* @__PURE__ */ G("<span class=\"part svelte-a5qbqs\"><i class=\"svelte-a5qbqs\"></i><b class=\"svelte-a5qbqs\"> </b> </span>"), Fo = /* @__PURE__ */ G("<strong> </strong> <!>", 1), Io = /* @__PURE__ */ G("<span class=\"hint svelte-a5qbqs\"> </span>"), Lo = /* @__PURE__ */ G("<div class=\"readout svelte-a5qbqs\" role=\"status\"><!></div>");
function Ro(e, t) {
	k(t, !0);
	let n = Qe("store"), r = /* @__PURE__ */ j(() => n.hover ?? n.active.at(-1));
	function i(e, t, r, i, a) {
		let o = n.unitsAt(t), s = [...e.keys()].filter((t) => Math.abs(e[t]) >= .005).sort((t, n) => Math.abs(e[n]) - Math.abs(e[t])).slice(0, r).map((t) => `${jo(o[t].text)} ${Q(e[t])}`);
		return i >= .005 && s.push(`rest ${Q(i)}`), n.withoutFirst && t === "key" && s.push(`(first token, left out: ${Q(a)})`), s.join(" · ") || "nothing";
	}
	let a = /* @__PURE__ */ j(() => {
		if (!U(r)) return [];
		let [e, a] = U(r), o = e === "query" ? "key" : "query", s = t.heads.map((r) => {
			let i = n.unitMap(r, t.layer), o = e === "query" ? i.row(a) : i.column(a);
			return {
				head: r,
				weights: o,
				rest: e === "query" ? i.rest(a) : 0,
				first: e === "query" ? i.first(a) : 0,
				most: o.reduce((e, t) => Math.max(e, Math.abs(t)), 0)
			};
		}), c = ({ head: e, weights: r, rest: a, first: s }, c) => ({
			head: n.nameOf(e, t.layer),
			colour: n.colourOf(e, t.layer),
			text: i(r, o, c, a, s)
		});
		if (t.heads.length <= 4) return s.map((e) => c(e, t.heads.length === 1 ? 6 : 3));
		let l = [...s].sort((e, t) => t.most - e.most).slice(0, 4), u = (e) => s.reduce((t, n) => t + n[e], 0) / s.length, d = {
			head: `mean of ${t.heads.length} heads`,
			colour: n.colours.quiet,
			text: i(Ya(s.map((e) => e.weights)), o, 3, u("rest"), u("first"))
		};
		return [...l.map((e) => c({
			...e,
			rest: 0
		}, 1)), d];
	}), o = /* @__PURE__ */ j(() => {
		let e = U(r)?.[0] === "query" ? n.probability(U(r)[1]) : null;
		return e === null ? "" : `(probability ${Q(e)}) `;
	}), s = /* @__PURE__ */ j(() => matchMedia("(hover: hover)").matches ? "Point at a token to see only its links; click to pin it. Drag from one token to another to ask which heads link them." : "Tap a token to see only its links; tap one on each side to ask which heads link them.");
	var c = Lo(), l = F(c), u = (e) => {
		var t = Fo(), i = I(t), s = L(i, !0), c = R(i);
		Y(R(c), 17, () => U(a), (e) => e.head, (e, t) => {
			var n = Po(), r = F(n);
			let i;
			var a = R(r), o = L(a, !0), s = R(a);
			O(n), B(() => {
				i = X(r, "", i, { background: U(t).colour }), q(o, U(t).head), q(s, ` ${U(t).text ?? ""}`);
			}), K(e, n);
		}), B((e) => {
			q(s, e), q(c, ` ${U(o) ?? ""}${U(r)[0] === "query" ? "attends to" : "is attended to by"} `);
		}, [() => jo(n.unitsAt(U(r)[0])[U(r)[1]]?.text ?? "", 24)]), K(e, t);
	}, d = (e) => {
		var t = Io(), r = L(t);
		B(() => q(r, `${U(s) ?? ""}${n.hasProbabilities ? " Bars on the left: how likely the model found each token." : ""}`)), K(e, t);
	};
	J(l, (e) => {
		U(r) ? e(u) : e(d, -1);
	}), O(c), K(e, c), A();
}
//#endregion
//#region src/parts/TilesOnly.svelte
var zo = /* @__PURE__ */ G("<p class=\"tiles-only svelte-1cevq1p\"> <button type=\"button\" class=\"plain\">Open in matrix view</button></p>");
function Bo(e, t) {
	k(t, !0);
	let n = Qe("store");
	function r() {
		n.selection.layer = t.layer, n.selection.heads = [t.heads[0]], n.selection.kind = "matrix";
	}
	var i = zo(), a = F(i), o = R(a);
	O(i), B(() => q(a, `No links to show: of ${t.heads.length === 1 ? `head ${t.layer}.${t.heads[0]}` : "these heads"} only tiles are kept. `)), W("click", o, r), K(e, i), A();
}
Pr(["click"]);
//#endregion
//#region src/views/HeadView.svelte
var Vo = /* @__PURE__ */ G("<!> <!>", 1);
function Ho(e, t) {
	k(t, !0);
	let n = Qe("store"), r = /* @__PURE__ */ N(void 0);
	z(() => {
		n.picture = () => U(r)?.picture() ?? null;
	});
	let i = /* @__PURE__ */ j(() => (n.pointed === null ? n.heads : [n.pointed]).filter((e) => n.hasRows(e)));
	var a = Vo(), o = I(a);
	wo(o, {});
	var s = R(o, 2), c = (e) => {
		var t = Vo(), a = I(t);
		ta(vo(a, {
			get layer() {
				return n.layer.layer;
			},
			get heads() {
				return U(i);
			}
		}), (e) => P(r, e, !0), () => U(r)), Ro(R(a, 2), {
			get layer() {
				return n.layer.layer;
			},
			get heads() {
				return U(i);
			}
		}), K(e, t);
	}, l = (e) => {
		Bo(e, {
			get layer() {
				return n.layer.layer;
			},
			get heads() {
				return n.heads;
			}
		});
	};
	J(s, (e) => {
		U(i).length > 0 ? e(c) : e(l, -1);
	}), K(e, a), A();
}
//#endregion
//#region src/draw/ramp.ts
var Uo = {
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
}, Wo = {};
function Go(e, t = !1) {
	let n = `${e ? "dark" : "light"}${t ? " signed" : ""}`;
	return Wo[n] ??= Ko(Uo[n]);
}
function Ko(e) {
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
function qo(e, t, n = !1) {
	let r = Math.max(0, Math.min(255, Math.round(t * 255))) * 4, [i, a, o] = Go(e, n).slice(r, r + 3);
	return `#${[
		i,
		a,
		o
	].map((e) => e.toString(16).padStart(2, "0")).join("")}`;
}
function Jo(e, t, n, r, { clear: i = !1, signed: a = !1 } = {}) {
	let o = document.createElement("canvas");
	o.width = t, o.height = n;
	let s = new ImageData(t, n), c = new Uint32Array(Go(r, a).buffer), l = new Uint32Array(s.data.buffer);
	for (let t = 0; t < e.length; t++) (e[t] > 0 || !i) && (l[t] = c[e[t]]);
	return o.getContext("2d").putImageData(s, 0, 0), o;
}
//#endregion
//#region src/parts/Ramp.svelte
var Yo = /* @__PURE__ */ G("<i class=\"svelte-108237s\"></i>"), Xo = /* @__PURE__ */ G("<span class=\"ramp svelte-108237s\"> <!> </span>");
function Zo(e, t) {
	k(t, !0);
	let n = ia(t, "signed", 3, !1);
	var r = Xo(), i = F(r), a = R(i);
	Y(a, 17, () => ({ length: 24 }), ei, (e, r, i) => {
		var a = Yo();
		let o;
		B((e) => o = X(a, "", o, { background: e }), [() => qo(t.dark, i / 23, n())]), K(e, a);
	});
	var o = R(a);
	O(r), B(() => {
		q(i, `${t.low ?? ""} `), q(o, ` ${t.high ?? ""}`);
	}), K(e, r), A();
}
//#endregion
//#region src/views/ImageView.svelte
var Qo = /* @__PURE__ */ G("<button type=\"button\" class=\"plain svelte-1k6ot3g\"> </button>"), $o = /* @__PURE__ */ G("<figcaption class=\"svelte-1k6ot3g\"><i class=\"svelte-1k6ot3g\"></i> </figcaption>"), es = /* @__PURE__ */ G("<figure class=\"svelte-1k6ot3g\"><button type=\"button\" class=\"patches svelte-1k6ot3g\"><canvas aria-hidden=\"true\"></canvas></button> <!></figure>"), ts = /* @__PURE__ */ G("<!> <div class=\"from svelte-1k6ot3g\" role=\"group\" aria-label=\"Token that attends\">From <!> <span class=\"hint svelte-1k6ot3g\">or a patch: point at one, click to keep it, or move with the arrow keys.</span></div> <div class=\"heads svelte-1k6ot3g\"></div> <div class=\"readout svelte-1k6ot3g\" role=\"status\">From <strong> </strong><!>. Each head is on its own scale; brighter patches get more.<!> <!></div>", 1);
function ns(e, t) {
	k(t, !0);
	let n = Qe("store"), r = /* @__PURE__ */ N(null), i = /* @__PURE__ */ N(900), a = /* @__PURE__ */ j(() => n.scene.images.filter((e) => e.side === n.attention.keys)), o = /* @__PURE__ */ j(() => n.querySide.tokens), s = /* @__PURE__ */ j(() => {
		let e = new Int32Array(U(o).length).fill(-1);
		return U(a).forEach((t, n) => e.fill(n, t.before, t.before + t.rows * t.columns)), e;
	}), c = /* @__PURE__ */ j(() => U(o).map((e, t) => t).filter((e) => U(s)[e] < 0)), l = /* @__PURE__ */ N({});
	for (let { source: e } of n.scene.images) {
		let t = new Image();
		t.onload = () => P(l, {
			...U(l),
			[e]: t
		}), t.src = e;
	}
	let u = /* @__PURE__ */ j(() => n.scene.sides.decoder === void 0 || U(c).length === 0 ? 0 : U(c)[U(c).length - 1]), d = /* @__PURE__ */ j(() => n.selection.pinned.find(([e]) => e === "query")?.[1] ?? U(u)), f = /* @__PURE__ */ j(() => Math.min(U(r) ?? U(d), U(o).length - 1)), p = /* @__PURE__ */ j(() => n.heads), m = /* @__PURE__ */ j(() => U(p).length * U(a).length), h = /* @__PURE__ */ j(() => Math.max(120, Math.min(420, Math.floor((U(i) - 24) / Math.min(U(m), U(i) < 500 ? 2 : U(m) <= 3 ? U(m) : 4)) - 12))), g = /* @__PURE__ */ j(() => U(p).map((e) => ({
		head: e,
		weights: n.map(e).row(U(f))
	}))), _ = (e) => U(s)[e] < 0 ? U(o)[e] : `patch ${U(o)[e]}`, v = (e) => e.rows / e.columns, y = /* @__PURE__ */ j(() => {
		if (U(s)[U(f)] < 0 || n.scene.sides.decoder === void 0) return null;
		let e = new Float32Array(U(o).length);
		for (let { head: t, weights: r } of U(g)) {
			let i = n.map(t);
			for (let t of U(c)) e[t] += (t < U(f) ? r[t] : i.row(t)[U(f)]) / U(g).length;
		}
		return e;
	}), b = /* @__PURE__ */ j(() => U(y) === null ? 1 : Math.max(1e-9, ...U(c).map((e) => U(y)[e])));
	function x(e) {
		let t = 0;
		for (let n = 0; n < e.length; n++) U(s)[n] >= 0 && (t = Math.max(t, e[n]));
		return t || 1;
	}
	function S(e, t) {
		return (n) => {
			z(() => {
				let { rows: r, columns: i, before: a } = e, o = v(e), s = Math.min(window.devicePixelRatio || 1, 2);
				n.width = Math.round(U(h) * s), n.height = Math.round(U(h) * o * s);
				let c = n.getContext("2d");
				c.scale(s, s);
				let u = U(l)[e.source];
				u && (c.filter = "grayscale(1)", c.drawImage(u, 0, 0, U(h), U(h) * o), c.filter = "none");
				let [d, p] = [U(h) / i, U(h) * o / r], m = x(t);
				for (let e = 0; e < r * i; e++) {
					let n = Math.sqrt(t[a + e] / m);
					c.globalAlpha = .25 + .5 * n, c.fillStyle = qo(!0, n), c.fillRect(e % i * d, Math.floor(e / i) * p, d + .5, p + .5);
				}
				c.globalAlpha = 1;
				let g = U(f) - a;
				g >= 0 && g < r * i && (c.strokeStyle = "#ff8a3c", c.lineWidth = 2.5, c.strokeRect(g % i * d, Math.floor(g / i) * p, d, p));
			});
		};
	}
	function C(e, { rows: t, columns: n, before: r }) {
		let i = e.currentTarget.getBoundingClientRect(), a = Math.max(0, Math.min(n - 1, Math.floor((e.clientX - i.left) / i.width * n)));
		return r + Math.max(0, Math.min(t - 1, Math.floor((e.clientY - i.top) / i.height * t))) * n + a;
	}
	function w(e) {
		n.selection.pinned = [["query", e]], P(r, null);
	}
	function ee(e, { rows: t, columns: n, before: r }) {
		let i = {
			ArrowLeft: -1,
			ArrowRight: 1,
			ArrowUp: -n,
			ArrowDown: n
		}[e.key];
		if (i === void 0) return;
		e.preventDefault();
		let a = U(d) >= r && U(d) < r + t * n;
		w(Math.max(0, Math.min(U(o).length - 1, (a ? U(d) : r - 1) + i)));
	}
	n.picture = () => {
		let e = Math.min(U(m), 4), t = Math.max(...U(a).map(v)) * U(h), r = [];
		return U(g).forEach(({ head: i, weights: o }, s) => U(a).forEach((c, u) => {
			let d = s * U(a).length + u, { rows: f, columns: p, before: m } = c, [g, _] = [12 + d % e * (U(h) + 12), 12 + Math.floor(d / e) * (t + 30)], y = U(h) * v(c), b = document.createElement("canvas");
			b.width = p, b.height = f;
			let S = b.getContext("2d"), C = x(o);
			for (let e = 0; e < f * p; e++) S.fillStyle = qo(!0, Math.sqrt(o[m + e] / C)), S.fillRect(e % p, Math.floor(e / p), 1, 1);
			let w = U(l)[c.source];
			if (w) {
				let e = document.createElement("canvas");
				[e.width, e.height] = [w.naturalWidth, w.naturalHeight], e.getContext("2d").drawImage(w, 0, 0), r.push({
					type: "raster",
					x: g,
					y: _,
					width: U(h),
					height: y,
					source: e
				});
			}
			r.push({
				type: "raster",
				x: g,
				y: _,
				width: U(h),
				height: y,
				source: b,
				alpha: .6
			});
			let ee = u === 0 ? te(i, o) : "";
			r.push({
				type: "words",
				x: g,
				y: _ + y + 12,
				text: ee,
				size: 11,
				colour: n.colours.ink,
				anchor: "start"
			});
		})), {
			width: 12 + e * (U(h) + 12),
			height: 12 + Math.ceil(U(m) / e) * (t + 30),
			marks: r
		};
	};
	function te(e, t) {
		let r = 0;
		for (let e of U(c)) r += t[e];
		let i = n.scene.sides.decoder === void 0 ? `[CLS]${U(c).length > 1 ? " and registers" : ""}` : "words";
		return `${n.nameOf(e)}: up to ${Q(x(t))}${U(c).length > 0 ? `, ${Q(r)} on ${i}` : ""}`;
	}
	var ne = ts(), re = I(ne);
	wo(re, {});
	var ie = R(re, 2);
	Y(R(F(ie)), 16, () => U(c), (e) => e, (e, t) => {
		var n = Qo();
		let r;
		var i = L(n, !0);
		B((e, a) => {
			Z(n, "aria-pressed", U(f) === t), Z(n, "title", e), r = X(n, "", r, { background: a }), q(i, U(o)[t]);
		}, [() => U(y) === null ? void 0 : `${t < U(f) ? "the patch gives it" : "it gives the patch"} ${Q(U(y)[t])}`, () => U(y) === null ? void 0 : `color-mix(in srgb, var(--accent) ${Math.round(70 * Math.sqrt(U(y)[t] / U(b)))}%, transparent)`]), W("click", n, () => w(t)), K(e, n);
	}), De(2), O(ie);
	var ae = R(ie, 2);
	Y(ae, 21, () => U(g), ({ head: e, weights: t }) => e, (e, t) => {
		let i = () => U(t).head, o = () => U(t).weights;
		var s = Ur();
		Y(I(s), 19, () => U(a), (e) => e.before, (e, t, s) => {
			var c = es();
			let l;
			var u = F(c);
			let d;
			var p = F(u);
			let m;
			fi(p, () => S(U(t), o())), O(u);
			var g = R(u, 2), y = (e) => {
				var t = $o(), r = F(t);
				let a;
				var s = R(r, 1, !0);
				O(t), B((e, t) => {
					a = X(r, "", a, { background: e }), q(s, t);
				}, [() => n.colourOf(i()), () => te(i(), o())]), K(e, t);
			};
			J(g, (e) => {
				U(s) === 0 && e(y);
			}), O(c), B((e, n, r, i) => {
				l = X(c, "", l, { width: `${U(h) ?? ""}px` }), Z(u, "aria-label", `Head ${e ?? ""} from ${n ?? ""}${U(a).length > 1 ? `, picture ${U(s) + 1}` : ""}: ${U(t).rows ?? ""} by ${U(t).columns ?? ""} patches`), d = X(u, "", d, { height: r }), m = X(p, "", m, {
					width: `${U(h) ?? ""}px`,
					height: i
				});
			}, [
				() => n.nameOf(i()),
				() => _(U(f)),
				() => `${U(h) * v(U(t))}px`,
				() => `${U(h) * v(U(t))}px`
			]), W("pointermove", u, (e) => e.pointerType === "mouse" && P(r, C(e, U(t)), !0)), Nr("pointerleave", u, () => P(r, null)), W("click", u, (e) => e.detail > 0 && w(C(e, U(t)))), W("keydown", u, (e) => ee(e, U(t))), K(e, c);
		}), K(e, s);
	}), O(ae);
	var oe = R(ae, 2), se = R(F(oe)), ce = L(se, !0), le = R(se), ue = (e) => {
		var t = Hr();
		B(() => q(t, `, ${U(p).length ?? ""} heads of layer ${n.layer.layer ?? ""}`)), K(e, t);
	};
	J(le, (e) => {
		U(p).length > 1 && e(ue);
	});
	var de = R(le, 2), fe = (e) => {
		K(e, Hr("Words before the patch are tinted by what it gives them, words after it by what they give it."));
	};
	J(de, (e) => {
		U(y) !== null && e(fe);
	}), Zo(R(de, 2), {
		low: "0",
		high: "most",
		dark: !0
	}), O(oe), B((e) => q(ce, e), [() => _(U(f))]), $i(ae, "clientWidth", (e) => P(i, e)), K(e, ne), A();
}
Pr([
	"click",
	"pointermove",
	"keydown"
]);
function rs({ width: e, height: t, columns: n, rows: r }) {
	let i = Math.min(48, e / n, t / r);
	return {
		x: Math.min(0, (n - e / i) / 2),
		y: 0,
		cell: i
	};
}
function is(e, t, n, r, i) {
	let a = rs(t), o = Math.max(a.cell, Math.min(48, e.cell * n));
	return o <= a.cell ? a : cs({
		x: e.x + r / e.cell - r / o,
		y: e.y + i / e.cell - i / o,
		cell: o
	}, t);
}
function as(e, t, n, r) {
	return cs({
		...e,
		x: e.x - n / e.cell,
		y: e.y - r / e.cell
	}, t);
}
function os(e, t, n, r) {
	let i = (t, n, r) => Math.min(n, Math.max(t, n + 1 - r / e.cell));
	return cs({
		...e,
		x: i(e.x, n, t.width),
		y: i(e.y, r, t.height)
	}, t);
}
function ss(e, t, n, r) {
	return cs({
		...e,
		x: n - t.width / e.cell / 2,
		y: r - t.height / e.cell / 2
	}, t);
}
function cs(e, { width: t, height: n, columns: r, rows: i }) {
	let a = (t, n, r) => {
		let i = r / e.cell / 2;
		return Math.max(-i, Math.min(t, n - i));
	};
	return {
		...e,
		x: a(e.x, r, t),
		y: a(e.y, i, n)
	};
}
var ls = 160;
function us(e) {
	return e >= 1 ? 0 : Math.ceil(-Math.log2(e) - 1e-9);
}
function ds(e, t, n, r, i, a, o) {
	let s = 256 << e, c = (e, t) => Math.max(0, Math.min(Math.floor(e / s), Math.floor((t - 1) / s))), l = [];
	for (let e = c(n, o); e <= c(i, o); e++) for (let n = c(t, a); n <= c(r, a); n++) l.push([n, e]);
	return l;
}
function fs(e, t, n = !1) {
	let r = Math.min(1, Math.sqrt(Math.abs(e) / t));
	return Math.round(n ? 128 + 127 * r * Math.sign(e) : 255 * r);
}
function ps(e, t, n, r, i, a, { spread: o = !0, signed: s = !1 } = {}) {
	let c = /* @__PURE__ */ new Uint8Array(65536);
	s && c.fill(128);
	let l = 256 << r, [u, d] = [i * l, a * l], f = Math.min(d + l, e.queries.length);
	if (n && u >= f) return c;
	for (let i = d; i < f; i++) {
		let a = (i - d >> r) * 256, f = n ? i + 1 : e.keys.length, p = f - e.map.width, m = o && p > 0 ? fs(e.rest(i) / p, t) : 0;
		if (m > 0) for (let e = 0; e < 256 && u + (e << r) < f; e++) c[a + e] < m && (c[a + e] = m);
		e.visit(i, (e, n) => {
			if (e < u || e >= u + l) return;
			let i = a + (e - u >> r), o = fs(n, t, s);
			(s ? Math.abs(o - 128) > Math.abs(c[i] - 128) : o > c[i]) && (c[i] = o);
		});
	}
	return c;
}
function ms(e, t) {
	let n = {
		column: 0,
		weight: 0
	};
	return e.visit(t, (e, t) => Math.abs(t) > Math.abs(n.weight) && Object.assign(n, {
		column: e,
		weight: t
	})), n;
}
var hs = class {
	kept = /* @__PURE__ */ new Map();
	get(e, t) {
		let n = this.kept.get(e) ?? t();
		return this.kept.delete(e), this.kept.set(e, n), this.kept.size > ls && this.kept.delete(this.kept.keys().next().value), n;
	}
	has(e) {
		return this.kept.has(e);
	}
};
//#endregion
//#region src/draw/coarse.ts
function gs(e) {
	let [{ rows: t, columns: n }] = e;
	return {
		rows: t,
		columns: n,
		share: (t, n) => e.reduce((r, i) => r + i.share(t, n) / e.length, 0)
	};
}
function _s(e) {
	let t = ys(e);
	return t[Math.floor((t.length - 1) * .9)] || 1;
}
var vs = (e) => ys(e).at(-1);
function ys(e) {
	return Array.from({ length: e.rows }, (t, n) => {
		let r = 0;
		for (let t = 0; t < e.columns; t++) r = Math.max(r, e.share(n, t));
		return r;
	}).sort((e, t) => e - t);
}
function bs(e, t) {
	return Ss(e, (n, r) => fs(e.share(n, r), t));
}
function xs(e, t, n, r) {
	return Ss(e, (i, a) => {
		let o = Math.min(e.size, t - a * e.size) - (e.withoutFirst && a === 0 ? 1 : 0);
		return fs(e.share(i, a) / Math.max(1, n && i === a ? (o + 1) / 2 : o), r);
	});
}
function Ss(e, t) {
	let n = new Uint8Array(e.rows * e.columns);
	for (let r = 0; r < e.rows; r++) for (let i = 0; i < e.columns; i++) n[r * e.columns + i] = t(r, i);
	return n;
}
function Cs(e, t) {
	let [n, r] = [Math.min(t, e.columns), Math.min(t, e.rows)], i = new Uint8Array(n * r), a = bs(e, 1);
	for (let t = 0; t < e.rows; t++) for (let o = 0; o < e.columns; o++) {
		let s = Math.floor(t * r / e.rows) * n + Math.floor(o * n / e.columns);
		i[s] = Math.max(i[s], a[t * e.columns + o]);
	}
	return {
		bytes: i,
		width: n,
		height: r
	};
}
function ws(e, t) {
	let n = Math.log2(e / Math.max(8, t * 1.5)) / 2;
	return Math.max(0, Math.min(1, n));
}
function Ts(e, t, n, r, i, a, o) {
	let s = Math.max(1, Math.round(1 / o)), c = (e) => Math.max(t, t + (e - r) * o), l = (e) => n + (e - i) * o, u = Math.floor(i / s) * s;
	e.beginPath(), e.moveTo(t, l(u));
	for (let t = u; t < a; t += s) e.lineTo(c(t + s), l(t)), e.lineTo(c(t + s), l(t + s));
	e.lineTo(t, l(Math.ceil(a / s) * s)), e.closePath(), e.clip();
}
//#endregion
//#region src/draw/matrix.ts
function Es({ camera: e, room: t, left: n, top: r }) {
	let i = {
		column: Math.max(0, e.x),
		row: Math.max(0, e.y)
	}, a = {
		column: Math.min(t.columns, e.x + t.width / e.cell),
		row: Math.min(t.rows, e.y + t.height / e.cell)
	}, o = (t) => n + (t - e.x) * e.cell, s = (t) => r + (t - e.y) * e.cell;
	return {
		first: i,
		last: a,
		x: o(i.column),
		y: s(i.row),
		right: o(a.column),
		bottom: s(a.row)
	};
}
function Ds(e, { queries: t, keys: n, numbered: r, narrow: i, cursor: a }, { ink: o, quiet: s }) {
	let { cell: c, x: l, y: u } = e.camera, d = Es(e), f = r && c < 1, p = f ? 2 ** Math.ceil(Math.log2(40 / c)) : Math.max(1, Math.ceil(13 / c)), m = (e, t, n) => f ? t.toLocaleString("en") : Ea(e[t].text, n), h = [], g = (e) => Math.ceil(Math.floor(e) / p) * p;
	for (let n = g(d.first.row); n < d.last.row; n += p) {
		let r = e.top + (n + .5 - u) * c;
		if (r < d.y) continue;
		let l = a?.row === n;
		h.push({
			type: "words",
			x: d.x - 6,
			y: r,
			text: m(t, n, i ? 9 : 15),
			size: 12,
			colour: l ? o : s,
			anchor: "end",
			bold: l
		});
	}
	for (let t = g(d.first.column); t < d.last.column; t += p) {
		let r = e.left + (t + .5 - l) * c;
		if (r < d.x) continue;
		let u = a?.column === t;
		h.push({
			type: "words",
			x: r,
			y: d.y - 6,
			text: m(n, t, i ? 9 : 13),
			size: 12,
			colour: u ? o : s,
			anchor: "start",
			turn: -90,
			bold: u
		});
	}
	return h;
}
function Os(e, t, { edge: n, quiet: r }) {
	let { camera: i, left: a, top: o } = e, { x: s, y: c, right: l, bottom: u } = Es(e), d = (e, t, n, r, i) => ({
		type: "line",
		from: [e, t],
		to: [n, r],
		colour: i,
		alpha: 1,
		width: 1
	}), f = [
		d(s, c, l, c, n),
		d(s, u, l, u, n),
		d(s, c, s, u, n),
		d(l, c, l, u, n)
	];
	if (t === null) return f;
	let [p, m] = [a + (t - i.x) * i.cell, o + (t - i.y) * i.cell];
	return p > s && p < l && f.push(d(p, c, p, u, r)), m > c && m < u && f.push(d(s, m, l, m, r)), f;
}
function ks({ room: e, left: t, top: n }) {
	let r = Math.min(t - 20, n - 14) / Math.max(e.columns, e.rows);
	return {
		x: 8,
		y: 6,
		width: e.columns * r,
		height: e.rows * r,
		scale: r
	};
}
function As(e, t, { x: n, y: r, width: i, height: a, scale: o }, s, c) {
	let { first: l, last: u } = Es(s);
	e.imageSmoothingEnabled = !0, e.drawImage(t, n, r, i, a), e.lineWidth = 1, e.strokeStyle = c.edge, e.strokeRect(n - .5, r - .5, i + 1, a + 1), e.lineWidth = 2, e.strokeStyle = c.negative;
	let d = {
		width: Math.max(4, (u.column - l.column) * o),
		height: Math.max(4, (u.row - l.row) * o)
	};
	e.strokeRect(Math.min(n + l.column * o, n + i - d.width), Math.min(r + l.row * o, r + a - d.height), d.width, d.height);
}
//#endregion
//#region src/draw/mapPainter.ts
var js = class {
	cache;
	map;
	tiles;
	ceiling;
	most;
	shares;
	means;
	name;
	dark;
	causal;
	signed;
	firsts;
	ink;
	constructor(e, t, n) {
		this.cache = n, this.map = e.unitMap(t), this.tiles = e.tiles(t), this.ceiling = this.map.map.hasRows ? e.ceiling([t]) : 1, this.dark = e.dark, {causal: this.causal, signed: this.signed} = e.attention, this.firsts = e.withoutFirst && this.map.map.hasRows ? Float32Array.from(this.map.queries, (e, t) => this.map.first(t)) : null, this.ink = e.colours.quiet;
		let { tiles: r } = this;
		this.most = r ? _s(r) : 1, this.shares = r && Jo(bs(r, this.most), r.columns, r.rows, this.dark), this.means = r && this.map.map.hasRows ? Jo(xs(r, this.map.map.keys, this.causal, this.ceiling), r.columns, r.rows, this.dark) : null, this.name = [
			e.attention.attention,
			e.layer.layer,
			t,
			e.selection.level,
			e.selection.sentences,
			e.selection.weighting,
			e.withoutFirst,
			this.ceiling,
			this.dark
		].join(" ");
	}
	near(e, t) {
		return this.tiles ? this.map.map.hasRows ? ws(this.tiles.size * e.cell, this.tiles.size * rs(t).cell) : 0 : 1;
	}
	paint(e, t, n) {
		let r = this.near(t.camera, t.room);
		e.imageSmoothingEnabled = !1, this.means && r > 0 && this.paintTiles(e, t, this.means, 1), this.shares && r < 1 && this.paintTiles(e, t, this.shares, 1 - r), r > 0 && da(e, this.cells(t, r, n)), da(e, this.firstColumn(t));
	}
	firstColumn(e) {
		let { camera: t, left: n, top: r } = e, { first: i, last: a } = Es(e);
		if (!(this.firsts || this.tiles?.withoutFirst) || i.column >= 1) return [];
		let o = !this.firsts || t.cell < 1 ? this.tiles : null, s = o?.size ?? 1, c = (e) => o ? o.first(e) : this.firsts[e], [l, u] = [Math.floor(i.row / s), Math.ceil(a.row / s)], d = {
			type: "box",
			x: n - t.x * t.cell,
			width: Math.max(3, t.cell),
			height: s * t.cell,
			colour: this.ink
		};
		return Array.from({ length: u - l }, (e, n) => ({
			...d,
			y: r + ((l + n) * s - t.y) * t.cell,
			alpha: c(l + n)
		}));
	}
	cells(e, t, n) {
		let { camera: r, room: i, left: a, top: o } = e, { first: s, last: c } = Es(e), l = us(r.cell), u = 256 << l, d = u * r.cell, f = performance.now(), p = [];
		for (let [e, m] of ds(l, s.column, s.row, c.column, c.row, i.columns, i.rows)) {
			let i = `${this.name} ${l} ${e} ${m}`;
			if (n && !this.cache.has(i) && performance.now() - f > 14) {
				requestAnimationFrame(n);
				break;
			}
			let { signed: s } = this, c = this.cache.get(i, () => Jo(ps(this.map, this.ceiling, this.causal, l, e, m, {
				spread: !this.tiles,
				signed: s
			}), 256, 256, this.dark, {
				clear: this.tiles !== null,
				signed: s
			}));
			p.push({
				type: "raster",
				x: a + (e * u - r.x) * r.cell,
				y: o + (m * u - r.y) * r.cell,
				width: d,
				height: d,
				source: c,
				alpha: t
			});
		}
		return p;
	}
	paintTiles(e, t, n, r) {
		let { size: i, columns: a, rows: o } = this.tiles, { x: s, y: c, cell: l } = t.camera, { first: u, last: d } = Es(t), [f, p] = [Math.floor(u.column / i), Math.floor(u.row / i)], m = Math.min(a, Math.ceil(d.column / i)) - f, h = Math.min(o, Math.ceil(d.row / i)) - p;
		e.save(), this.causal && Ts(e, t.left, t.top, s, c, d.row, l), e.globalAlpha = r, e.drawImage(n, f, p, m, h, t.left + (f * i - s) * l, t.top + (p * i - c) * l, m * i * l, h * i * l), e.restore();
	}
	picture(e) {
		let { camera: t, left: n, top: r } = e, i = Es(e), { first: a, last: o } = i, s = [];
		if ((o.column - a.column) * (o.row - a.row) <= 4200 && this.near(t, e.room) === 1) {
			for (let e = Math.floor(a.row); e < o.row; e++) this.map.visit(e, (i, c) => {
				if (i < Math.floor(a.column) || i >= o.column) return;
				let l = qo(this.dark, fs(c, this.ceiling, this.signed) / 255, this.signed);
				s.push({
					type: "box",
					x: n + (i - t.x) * t.cell,
					y: r + (e - t.y) * t.cell,
					width: t.cell,
					height: t.cell,
					colour: l,
					alpha: 1
				});
			});
			return [...s, ...this.firstColumn(e)];
		}
		let c = document.createElement("canvas"), [l, u] = [i.right - i.x, i.bottom - i.y];
		c.width = Math.round(l * 2), c.height = Math.round(u * 2);
		let d = c.getContext("2d");
		return d.scale(2, 2), d.translate(-i.x, -i.y), this.paint(d, e, null), [{
			type: "raster",
			x: i.x,
			y: i.y,
			width: l,
			height: u,
			source: c
		}];
	}
};
function Ms(e, t, n, r, i, a, o) {
	let s = (e, n, r) => ({
		type: "words",
		x: e,
		y: t + 5,
		text: n,
		size: 11,
		colour: o,
		anchor: r
	}), c = Array.from({ length: 24 }, (i, a) => ({
		type: "box",
		x: e + 30 + a * 5,
		y: t,
		width: 5.2,
		height: 10,
		colour: qo(n, a / 23, r),
		alpha: 1
	}));
	return [
		s(e + 25, i, "end"),
		...c,
		s(e + 35 + 120, a, "start")
	];
}
//#endregion
//#region src/parts/MatrixReadout.svelte
var Ns = /* @__PURE__ */ G(": <strong> </strong>", 1), Ps = /* @__PURE__ */ G(" <strong> </strong>", 1), Fs = /* @__PURE__ */ G("<span class=\"hint svelte-1mujeyx\">· most to <bdi> </bdi> </span>"), Is = /* @__PURE__ */ G("<bdi> </bdi> <bdi> </bdi> <!> <!> <!>", 1), Ls = /* @__PURE__ */ G("<span class=\"hint svelte-1mujeyx\">Rows attend, columns are attended to. Wheel or pinch to zoom, drag to move.</span>"), Rs = /* @__PURE__ */ G("<div class=\"readout svelte-1mujeyx\"><span class=\"told svelte-1mujeyx\" role=\"status\"><!></span> <span class=\"zoom svelte-1mujeyx\" role=\"group\" aria-label=\"Zoom\"><button type=\"button\" class=\"plain\" aria-label=\"Zoom in\">+</button> <button type=\"button\" class=\"plain\" aria-label=\"Zoom out\">−</button> <button type=\"button\" class=\"plain\">Fit</button></span> <span class=\"scale svelte-1mujeyx\"><span class=\"level svelte-1mujeyx\"> </span> <!></span></div>");
function zs(e, t) {
	k(t, !0);
	let n = Qe("store"), r = /* @__PURE__ */ j(() => t.painter.tiles !== null && t.near < .5), i = /* @__PURE__ */ j(() => {
		if (!t.cursor || !n.queries[t.cursor.row] || !n.keys[t.cursor.column]) return null;
		let { row: e, column: r } = t.cursor, { map: i, tiles: o } = t.painter, s = 0;
		i.visit(e, (e, t) => e === r && (s = t));
		let c = i.rest(e), l = i.map.hasRows ? r === 0 && t.painter.firsts ? `${Q(t.painter.firsts[e])} of all, left out` : s === 0 && c > 0 ? `among the rest of ${Q(c)}` : Q(s) : "", u = o && i.map.hasRows ? ms(i, e) : null, d = u && u.column !== r ? {
			to: n.keys[u.column],
			weight: Q(u.weight)
		} : null;
		return {
			from: n.queries[e],
			to: n.keys[r],
			told: l,
			tile: o && a(o, e, r),
			most: d
		};
	});
	function a(e, t, r) {
		let { size: i } = e, [a, o] = [Math.floor(t / i), Math.floor(r / i)], s = (e, t) => `${(e * i).toLocaleString("en")} to ${(Math.min((e + 1) * i, t) - 1).toLocaleString("en")}`;
		return {
			tokens: `${s(a, n.queries.length)} → ${s(o, n.keys.length)}`,
			share: Q(e.share(a, o))
		};
	}
	let o = /* @__PURE__ */ j(() => {
		let { tiles: e, map: n, ceiling: i, most: a, signed: o } = t.painter;
		if (!U(r)) return {
			text: (t.painter.firsts ? "first column, grey: its share, left out; " : "") + (t.level === 0 ? "every token" : `each pixel: strongest of ${2 ** t.level} × ${2 ** t.level} tokens`),
			low: o ? Q(-i) : "0",
			top: `${i < n.map.scale * .99 ? "≥ " : ""}${Q(i)}`
		};
		let s = e.size.toLocaleString("en");
		return {
			text: `${e.withoutFirst ? "first column, grey: the first token's share, left out; " : ""}each tile: share of attention, ${s} × ${s} tokens${n.map.hasRows ? "" : "; no rows of this head are kept"}`,
			low: "0",
			top: `${a < vs(e) * .99 ? "≥ " : ""}${Q(a)}`
		};
	});
	var s = Rs(), c = F(s), l = F(c), u = (e) => {
		var t = Is(), n = I(t), r = L(n, !0), a = R(n), o = R(a), s = L(o, !0), c = R(o), l = R(c), u = (e) => {
			var t = Ns(), n = L(R(I(t)), !0);
			B(() => q(n, U(i).told)), K(e, t);
		};
		J(l, (e) => {
			U(i).told && e(u);
		});
		var d = R(l, 2), f = (e) => {
			var t = Ps(), n = I(t), r = L(R(n), !0);
			B(() => {
				q(n, `· tile ${U(i).tile.tokens ?? ""}: `), q(r, U(i).tile.share);
			}), K(e, t);
		};
		J(d, (e) => {
			U(i).tile && e(f);
		});
		var p = R(d, 2), m = (e) => {
			var t = Fs(), n = R(F(t)), r = L(n, !0), a = R(n);
			O(t), B((e) => {
				q(r, e), q(a, ` (${U(i).most.to.start ?? ""}): ${U(i).most.weight ?? ""}, double-click goes there`);
			}, [() => Ea(U(i).most.to.text, 24)]), K(e, t);
		};
		J(p, (e) => {
			U(i).most && e(m);
		}), B((e, t) => {
			q(r, e), q(a, ` (${U(i).from.start ?? ""}) → `), q(s, t), q(c, ` (${U(i).to.start ?? ""})`);
		}, [() => Ea(U(i).from.text, 24), () => Ea(U(i).to.text, 24)]), K(e, t);
	}, d = (e) => {
		K(e, Ls());
	};
	J(l, (e) => {
		U(i) ? e(u) : e(d, -1);
	}), O(c);
	var f = R(c, 2), p = F(f), m = R(p, 2), h = R(m, 2);
	O(f);
	var g = R(f, 2), _ = F(g), v = L(_, !0);
	Zo(R(_, 2), {
		get low() {
			return U(o).low;
		},
		get high() {
			return U(o).top;
		},
		get dark() {
			return n.dark;
		},
		get signed() {
			return t.painter.signed;
		}
	}), O(g), O(s), B((e) => {
		Z(_, "data-level", t.level), Z(_, "data-near", e), q(v, U(o).text);
	}, [() => t.near.toFixed(2)]), W("click", p, () => t.zoom(1.6)), W("click", m, () => t.zoom(1 / 1.6)), W("click", h, () => t.zoom(null)), K(e, s), A();
}
Pr(["click"]);
//#endregion
//#region src/views/MatrixView.svelte
var Bs = /* @__PURE__ */ G("<!> <div class=\"matrix svelte-292knk\"><canvas tabindex=\"0\" role=\"application\" class=\"svelte-292knk\"></canvas></div> <!>", 1);
function Vs(e, t) {
	k(t, !0);
	let n = Qe("store"), r, i = /* @__PURE__ */ N({
		width: 600,
		height: 400
	}), a = /* @__PURE__ */ N(null), o = /* @__PURE__ */ N(null), s = /* @__PURE__ */ N(null), c = /* @__PURE__ */ N(0), l = new hs(), u = /* @__PURE__ */ j(() => n.heads[0]), d = /* @__PURE__ */ j(() => new js(n, U(u), l)), f = /* @__PURE__ */ j(() => U(d).tiles), p = /* @__PURE__ */ j(() => U(i).width < 560), m = /* @__PURE__ */ j(() => U(p) ? 76 : 120), h = /* @__PURE__ */ j(() => U(p) ? 70 : 96), g = /* @__PURE__ */ j(() => ({
		width: Math.max(1, U(i).width - U(m) - 8),
		height: Math.max(1, U(i).height - U(h) - 8),
		columns: n.keys.length,
		rows: n.queries.length
	})), _ = /* @__PURE__ */ j(() => U(a) ?? rs(U(g))), v = /* @__PURE__ */ j(() => ({
		camera: U(_),
		room: U(g),
		left: U(m),
		top: U(h)
	})), y = /* @__PURE__ */ j(() => Es(U(v))), b = /* @__PURE__ */ j(() => us(U(_).cell)), x = /* @__PURE__ */ j(() => U(d).near(U(_), U(g))), S = /* @__PURE__ */ j(() => U(f) !== null && U(x) < .5), C = /* @__PURE__ */ j(() => U(f) && U(_).cell >= rs(U(g)).cell * 1.01 ? ks(U(v)) : null), w = /* @__PURE__ */ j(() => U(o) ? ne(U(o)) : U(s)), ee = /* @__PURE__ */ j(() => {
		if (!n.hasSentences || n.selection.sentences !== "all") return null;
		let e = n.queries.findIndex((e) => e.start === n.querySide.b_start);
		return e < 0 ? null : e;
	}), te = /* @__PURE__ */ j(() => ({
		queries: n.queries,
		keys: n.keys,
		numbered: U(f) !== null,
		narrow: U(p),
		cursor: U(w)
	}));
	z(() => {
		n.queries, n.keys, P(a, null), P(o, P(s, null));
	}), z(() => {
		let e = n.found?.unit;
		e === void 0 || e >= U(g).rows || (P(o, null), P(s, {
			row: e,
			column: ms(U(d).map, e).column
		}), P(a, ss(U(_), U(g), U(s).column + .5, e + .5)));
	});
	function ne([e, t]) {
		return e < U(y).x || t < U(y).y || e >= U(y).right || t >= U(y).bottom ? null : {
			column: Math.floor(U(_).x + (e - U(m)) / U(_).cell),
			row: Math.floor(U(_).y + (t - U(h)) / U(_).cell)
		};
	}
	z(() => {
		U(c);
		let e = Math.min(window.devicePixelRatio || 1, 3);
		r.width = Math.round(U(i).width * e), r.height = Math.round(U(i).height * e);
		let t = r.getContext("2d");
		t.scale(e, e), t.save(), t.beginPath(), t.rect(Math.max(U(m), U(y).x), Math.max(U(h), U(y).y), U(y).right - Math.max(U(m), U(y).x), U(y).bottom - Math.max(U(h), U(y).y)), t.clip(), U(d).paint(t, U(v), () => tn(c)), U(w) && re(t, U(w)), t.restore(), da(t, [...Ds(U(v), U(te), n.colours), ...Os(U(v), U(ee), n.colours)]), U(C) && U(d).shares && As(t, U(d).shares, U(C), U(v), n.colours);
	});
	function re(e, { row: t, column: r }) {
		e.strokeStyle = n.colours.negative, e.lineWidth = 2;
		let i = U(S) ? U(f).size : 1, a = Math.max(6, i * U(_).cell), o = (e) => (Math.floor(e / i) + .5) * i;
		e.strokeRect(U(m) + (o(r) - U(_).x) * U(_).cell - a / 2, U(h) + (o(t) - U(_).y) * U(_).cell - a / 2, a, a);
	}
	z(() => {
		let e = new ResizeObserver(() => P(i, {
			width: r.clientWidth,
			height: r.clientHeight
		}));
		return e.observe(r), () => e.disconnect();
	});
	function ie() {
		let e = Math.max(0, U(y).x - U(m)), t = {
			...U(v),
			left: U(m) - e
		}, r = Es(t), i = U(S) ? U(d).most : U(d).ceiling, a = Ms(8, r.bottom + 14, n.dark, U(d).signed, U(d).signed ? Q(-i) : "0", `≥ ${Q(i)}`, n.colours.quiet), o = `head ${n.nameOf(U(u))}${n.selection.weighting === "value norms" ? ", times value norms" : ""}${n.withoutFirst ? ", without the first token (its share in grey)" : ""}`;
		return {
			width: Math.max(r.right + 8, 240),
			height: r.bottom + 46,
			marks: [
				...U(d).picture(t),
				...Ds(t, {
					...U(te),
					cursor: null
				}, n.colours),
				...Os(t, U(ee), n.colours),
				...a,
				{
					type: "words",
					x: 8,
					y: r.bottom + 36,
					text: o,
					size: 11,
					colour: n.colours.quiet,
					anchor: "start"
				}
			]
		};
	}
	z(() => {
		n.picture = ie;
	});
	function ae(e) {
		let t = r.getBoundingClientRect();
		return [e.clientX - t.left, e.clientY - t.top];
	}
	function oe(e) {
		e.preventDefault();
		let [t, n] = ae(e);
		P(o, [t, n]), P(a, is(U(_), U(g), Math.exp(-e.deltaY * .0022), t - U(m), n - U(h)));
	}
	z(() => (r.addEventListener("wheel", oe, { passive: !1 }), () => r.removeEventListener("wheel", oe)));
	let se = /* @__PURE__ */ new Map();
	function ce(e) {
		let t = se.get(e.pointerId), [n, r] = ae(e);
		if (P(o, [n, r]), !t) return;
		let i = [...se.values()].filter((t) => t.pointerId !== e.pointerId);
		if (i.length === 1) {
			let o = (e, t) => Math.hypot(e.clientX - t.clientX, e.clientY - t.clientY);
			P(a, is(U(_), U(g), o(e, i[0]) / Math.max(1, o(t, i[0])), n - U(m), r - U(h)));
		} else P(a, as(U(_), U(g), e.clientX - t.clientX, e.clientY - t.clientY));
		se.set(e.pointerId, e);
	}
	function le(e) {
		let [t, n] = ae(e);
		U(C) && t >= U(C).x && n >= U(C).y && t <= U(C).x + U(C).width && n <= U(C).y + U(C).height ? P(a, ss(U(_), U(g), (t - U(C).x) / U(C).scale, (n - U(C).y) / U(C).scale)) : (r.setPointerCapture(e.pointerId), se.set(e.pointerId, e), P(o, [t, n]), P(s, ne([t, n]) ?? U(s)));
	}
	let ue = (e) => se.delete(e.pointerId);
	function de(e) {
		e.pointerType === "mouse" && se.size === 0 && P(o, P(s, null));
	}
	function fe(e) {
		if (e === null) {
			P(a, null);
			return;
		}
		let t = U(w) ? [(U(w).column + .5 - U(_).x) * U(_).cell, (U(w).row + .5 - U(_).y) * U(_).cell] : [U(g).width / 2, U(g).height / 2];
		P(a, is(U(_), U(g), e, t[0], t[1]));
	}
	function pe(e) {
		let t = {
			ArrowLeft: [0, -1],
			ArrowRight: [0, 1],
			ArrowUp: [-1, 0],
			ArrowDown: [1, 0]
		}[e.key];
		if (t) {
			let n = (e.shiftKey ? 10 : 1) * (U(S) ? U(f).size : 1), r = U(w) ?? U(s) ?? {
				row: 0,
				column: 0
			}, i = (e, t) => Math.max(0, Math.min(t - 1, e));
			P(o, null), P(s, {
				row: i(r.row + t[0] * n, U(g).rows),
				column: i(r.column + t[1] * n, U(g).columns)
			}), P(a, os(U(_), U(g), U(s).column, U(s).row));
		} else if (e.key === "+" || e.key === "=") fe(1.5);
		else if (e.key === "-") fe(1 / 1.5);
		else if (e.key === "0") P(a, null);
		else if (e.key === "Enter") me();
		else return;
		e.preventDefault();
	}
	function me() {
		let e = U(w) ?? U(s);
		e && U(d).map.map.hasRows && (P(o, null), P(s, {
			row: e.row,
			column: ms(U(d).map, e.row).column
		}), P(a, ss(U(_), U(g), U(s).column + .5, U(s).row + .5)));
	}
	var he = Bs(), ge = I(he);
	wo(ge, { single: !0 });
	var T = R(ge, 2), _e = F(T);
	ta(_e, (e) => r = e, () => r), O(T), zs(R(T, 2), {
		get painter() {
			return U(d);
		},
		get cursor() {
			return U(w);
		},
		get level() {
			return U(b);
		},
		get near() {
			return U(x);
		},
		zoom: fe
	}), B((e) => Z(_e, "aria-label", `Map of head ${e ?? ""}: ${U(g).rows ?? ""} by ${U(g).columns ?? ""} tokens. Arrow keys move, Enter goes to what a token attends to most, plus and minus zoom, 0 shows all.`), [() => n.nameOf(U(u))]), W("pointerdown", _e, le), W("pointermove", _e, ce), W("pointerup", _e, ue), Nr("pointercancel", _e, ue), Nr("pointerleave", _e, de), W("keydown", _e, pe), W("dblclick", _e, me), K(e, he), A();
}
Pr([
	"pointerdown",
	"pointermove",
	"pointerup",
	"keydown",
	"dblclick"
]);
//#endregion
//#region src/core/grid.ts
var Hs = 34, Us = 6, Ws = 14, Gs = (e) => e < 40 ? Us / 2 : Us, Ks = (e) => e >= 44, qs = 6;
function Js(e, t, { by: n, reverse: r, kept: i, answer: a }) {
	let o = t.find((e) => e.name === n), s = (e, t) => `${e}.${t}`, c = new Map(((t) => t.filter(([t]) => t === e.attention))(o?.values ?? []).map(([, e, t, n]) => [s(e, t), n])), l = e.layers.flatMap(({ layer: e, heads: t }) => t.map((t) => {
		if (!a) return {
			layer: e,
			head: t,
			value: c.get(s(e, t)) ?? null
		};
		let n = a(e, t);
		return {
			layer: e,
			head: t,
			value: n && (n.low < 0 ? n.low : n.high),
			answer: n
		};
	})).filter(({ layer: e, head: t }) => !i || i(e, t));
	if (!o && !a) return r ? l.reverse() : l;
	let u = o?.first === "smallest" === r ? -1 : 1;
	return l.sort((e, t) => e.value === null || t.value === null ? Number(e.value === null) - Number(t.value === null) : u * (e.value - t.value));
}
function Ys(e, t, n, r = null) {
	let i = t ? Hs : Us;
	if (t) {
		let t = [...new Set(e.map(({ layer: e }) => e))], a = Math.max(1, ...t.map((t) => e.filter((e) => e.layer === t).length)), o = r ?? Math.max(24, Math.min(112, Math.floor((n - i - Us) / a) - Us)), s = Gs(o), c = (e) => qs + e * (o + s + (Ks(o) ? Ws : 0)), l = /* @__PURE__ */ new Map();
		return {
			cells: e.map((e) => {
				let n = l.get(e.layer) ?? 0;
				return l.set(e.layer, n + 1), {
					...e,
					x: i + n * (o + s),
					y: c(t.indexOf(e.layer))
				};
			}),
			size: o,
			perRow: a,
			width: Math.max(n, i + a * (o + s)),
			height: c(t.length) + qs,
			rowTop: c
		};
	}
	let a = r ?? (n < 500 ? 62 : 78), o = Gs(a), s = Math.max(1, Math.floor((n - i) / (a + o))), c = (e) => qs + e * (a + o + (Ks(a) ? Ws : 0));
	return {
		cells: e.map((e, t) => ({
			...e,
			x: i + t % s * (a + o),
			y: c(Math.floor(t / s))
		})),
		size: a,
		perRow: s,
		width: n,
		height: c(Math.ceil(e.length / s)) + qs,
		rowTop: c
	};
}
//#endregion
//#region src/core/contract.ts
var Xs = "attlas.view/4", Zs = [
	"behaviour",
	"pattern",
	"shape"
], Qs = {
	u8: 1,
	u16: 2,
	u32: 4,
	i8: 1,
	i16: 2
};
function $s(e, t) {
	if (e.schema !== "attlas.view/4") throw Error(`This view reads ${Xs}, and the data is ${String(e.schema)}: make it again with the same Attlas.`);
	if (t !== e.bytes) throw Error(`The data of this view is cut off: ${t} bytes of ${e.bytes}. Save the page again.`);
	for (let t of [e, ...e.panes ?? []]) ec(t, e.bytes);
}
function ec({ sides: e, attentions: t }, n) {
	for (let r of t) {
		let t = e[r.queries]?.tokens.length, i = e[r.keys]?.tokens.length;
		for (let e of r.layers) {
			let { shape: a } = e.weights, o = (e.with_rows ?? e.heads).length;
			if (a[0] !== o || a[1] !== t || !e.columns && a[2] !== i || !tc(e, t, i ?? 0)) throw Error(`Layer ${e.layer} of ${r.attention} attention does not fit its tokens.`);
			for (let t of nc(e)) if (t.at + rc(t) > n) throw Error(`Layer ${e.layer} of ${r.attention} attention lies outside the data.`);
		}
	}
}
function tc({ tiles: e, heads: t }, n, r) {
	if (!e) return !0;
	let [i, a, o] = e.shares.shape;
	return e.first && (e.first.shape[0] !== i || e.first.shape[1] !== a) ? !1 : i === t.length && a === Math.ceil(n / e.size) && o === Math.ceil(r / e.size);
}
function nc(e) {
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
		e.tiles?.shares,
		e.tiles?.first,
		e.value_norms?.values,
		...t
	].filter((e) => e !== void 0);
}
function rc(e) {
	return e.shape.reduce((e, t) => e * t, Qs[e.type]);
}
//#endregion
//#region src/core/payload.ts
function ic(e) {
	let t = atob(e.trim()), n = new Uint8Array(t.length);
	for (let e = 0; e < t.length; e++) n[e] = t.charCodeAt(e);
	return n;
}
async function ac(e) {
	let t = new Blob([e]).stream().pipeThrough(new DecompressionStream("deflate"));
	return new Response(t).arrayBuffer();
}
function oc(e, t) {
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
//#region src/core/maps.ts
var sc = Float32Array.from({ length: 256 }, (e, t) => (t / 255) ** 2), cc = Float32Array.from({ length: 256 }, (e, t) => Math.sign(t - 128) * ((t - 128) / 127) ** 2), lc = 1e-9, uc = class {
	queries;
	keys;
	scale;
	width;
	hasRows;
	bytes;
	signed;
	columns;
	tops;
	rests;
	norms;
	withoutFirst;
	origin;
	constructor(e, t, n, r, { normed: i = !1, withoutFirst: a = !1 } = {}) {
		let [, o, s] = t.weights.shape, c = (t.with_rows ?? t.heads).indexOf(n);
		this.queries = o, this.keys = r, this.hasRows = c >= 0, this.width = this.hasRows ? s : 0, this.scale = t.scale[c] ?? 0, this.origin = c * o, this.bytes = oc(e, t.weights), this.signed = t.weights.type === "i8", this.columns = t.columns ? oc(e, t.columns) : null, this.tops = t.tops ? oc(e, t.tops) : null, this.rests = t.rest ? oc(e, t.rest) : null, this.norms = i && t.value_norms ? dc(e, t, n, r) : null, this.withoutFirst = a;
	}
	get sparse() {
		return this.columns !== null;
	}
	entries(e, t) {
		let { norms: n, withoutFirst: r } = this;
		if (!n && !r) return this.stored(e, t);
		let i = this.total(e);
		this.stored(e, (e, a) => {
			(!r || e > 0) && t(e, a * (n ? n[e] : 1) / i);
		});
	}
	stored(e, t) {
		let n = (this.origin + e) * this.width, r = this.tops ? this.scale * (this.tops[this.origin + e] / 65535) ** 2 : this.scale, { bytes: i, columns: a, signed: o } = this;
		for (let e = 0; e < this.width; e++) {
			let s = i[n + e];
			s !== 0 && t(a ? a[n + e] : e, (o ? cc[s + 128] : sc[s]) * r);
		}
	}
	total(e, t = !this.withoutFirst) {
		let { norms: n } = this, r = this.storedRest(e) * (n ? n[this.keys] : 1);
		return this.stored(e, (e, i) => {
			(t || e > 0) && (r += i * (n ? n[e] : 1));
		}), r || 1;
	}
	first(e) {
		let t = 0;
		return this.stored(e, (e, n) => e === 0 && (t = n * (this.norms ? this.norms[0] : 1))), t / this.total(e, !0);
	}
	storedRest(e) {
		return this.rests ? sc[this.rests[this.origin + e]] : 0;
	}
	rest(e) {
		if (!this.hasRows) return 1;
		let t = this.storedRest(e);
		return !this.norms && !this.withoutFirst ? t : t * (this.norms ? this.norms[this.keys] : 1) / this.total(e);
	}
	bound(e) {
		let t = Infinity, n = 0;
		return this.entries(e, (e, r) => {
			t = Math.min(t, Math.abs(r)), n++;
		}), this.sparse && n === this.width ? Math.min(t, this.rest(e)) : this.scale * (.5 / 255) ** 2;
	}
	row(e) {
		let t = new Float32Array(this.keys);
		return this.entries(e, (e, n) => t[e] = n), t;
	}
};
function dc(e, t, n, r) {
	let i = t.heads.indexOf(n), { values: a, scale: o } = t.value_norms, s = oc(e, a), c = new Float32Array(r + 1);
	for (let e = 0; e < r; e++) c[e] = s[i * r + e] / 255 * o[i], c[r] += c[e] / r;
	return c;
}
var fc = class {
	withoutFirst;
	size;
	rows;
	columns;
	scale;
	bytes;
	firsts;
	index;
	constructor(e, t, n, r = !1) {
		this.withoutFirst = r, this.size = t.size, [, this.rows, this.columns] = t.shares.shape, this.scale = t.scale[n], this.index = n, this.bytes = oc(e, t.shares), this.firsts = t.first ? oc(e, t.first) : null;
	}
	share(e, t) {
		let { withoutFirst: n } = this, r = sc[this.bytes[(this.index * this.rows + e) * this.columns + t]] * this.scale;
		return n ? r / Math.max(1 - this.first(e), lc) : t === 0 ? r + this.first(e) : r;
	}
	first(e) {
		return this.firsts ? this.firsts[this.index * this.rows + e] / 65535 : 0;
	}
	meanFirst(e, t) {
		let n = t ? -1 : 0;
		for (let t = 0; t < this.rows; t++) n += this.first(t) * Math.min(this.size, e - t * this.size);
		return n / Math.max(1, e - +!!t);
	}
};
function pc(e, t, n, r, i, a = {}) {
	let o = n.layers.find((e) => e.layer === r);
	return o?.heads.includes(i) ? new uc(t, o, i, e, a) : null;
}
function mc(e, t, n, r, i = !1) {
	let a = t.layers.find((e) => e.layer === n);
	return a?.tiles ? new fc(e, a.tiles, a.heads.indexOf(r), i) : null;
}
//#endregion
//#region src/core/names.ts
var hc = class {
	all;
	kinds;
	first = /* @__PURE__ */ new Map();
	second = /* @__PURE__ */ new Map();
	constructor(e) {
		this.all = e, this.kinds = Zs.filter((t) => e.some((e) => e.kind === t && e.heads.length > 0));
		for (let t of e) {
			for (let e of t.heads) this.first.set(gc(t.kind, e), {
				name: t,
				confidence: e[3]
			});
			for (let e of t.second) this.second.set(gc(t.kind, e), {
				name: t,
				confidence: e[3]
			});
		}
	}
	best(e, ...t) {
		return this.first.get(gc(e, t));
	}
	called(...e) {
		for (let t of this.kinds) {
			let n = this.best(t, ...e)?.name;
			if (n && n.name !== "none") return n;
		}
		return null;
	}
	secondBest(e, ...t) {
		return this.second.get(gc(e, t));
	}
	counted(e, t) {
		return this.all.filter((t) => t.kind === e).map((e) => ({
			name: e,
			count: e.heads.filter(([e]) => e === t).length
		})).filter(({ count: e }) => e > 0);
	}
}, gc = (e, [t, n, r]) => `${e} ${t} ${n}.${r}`;
//#endregion
//#region src/core/units.ts
function _c(e, t) {
	let n = new Uint32Array(t + 1);
	for (let t of e.to) n[t + 1]++;
	for (let e = 0; e < t; e++) n[e + 1] += n[e];
	let r = n.slice(), i = new Uint32Array(e.to.length), a = new Uint32Array(e.to.length);
	for (let t = 0; t + 1 < e.rows.length; t++) for (let n = e.rows[t]; n < e.rows[t + 1]; n++) {
		let o = r[e.to[n]]++;
		i[o] = t, a[o] = n;
	}
	return {
		columns: n,
		from: i,
		at: a
	};
}
function vc(e, t, n) {
	let r = e.b_start ?? e.tokens.length, i = [];
	for (let n = 0; n < e.tokens.length; n++) {
		let r = i.at(-1);
		t === "words" && r && e.words.length > 0 && e.words[n] === e.words[n - 1] ? (r.text = yc(r.text, e.tokens[n]), r.end = n + 1) : i.push({
			text: e.tokens[n],
			start: n,
			end: n + 1
		});
	}
	return i.filter((e) => n === "all" || n === "a" == e.start < r);
}
function yc(e, t) {
	let n = [...e].at(-2);
	return n && e.endsWith("…") && t.startsWith(`…${n}`) ? e.slice(0, -1) + t.slice(1 + n.length) : e + t.replace(/^##/, "");
}
function bc(e) {
	return e === "all" ? ["all", "all"] : e.split("-");
}
function xc(e, t) {
	let n = new Int32Array(t).fill(-1);
	return e.forEach((e, t) => n.fill(t, e.start, e.end)), n;
}
var Sc = class {
	map;
	queries;
	keys;
	unitOfKey;
	plainKeys;
	constructor(e, t, n, r = xc(n, e.keys)) {
		this.map = e, this.queries = t, this.keys = n, this.unitOfKey = r, this.plainKeys = n.length === e.keys;
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
	first(e) {
		let { start: t, end: n } = this.queries[e], r = 0;
		for (let e = t; e < n; e++) r += this.map.first(e);
		return r / (n - t);
	}
	between(e, t, n) {
		let { start: r, end: i } = this.queries[e], a = this.keys[t], o = {
			low: 0,
			high: 0
		};
		for (let e = r; e < i; e++) {
			let t = /* @__PURE__ */ new Set();
			for (let r = a.start; r < a.end; r++) (!n || r <= e) && t.add(r);
			this.map.entries(e, (e, n) => {
				e < a.start || e >= a.end || (t.delete(e), o.low += n / (i - r), o.high += n / (i - r));
			}), t.size > 0 && (o.high += t.size * this.map.bound(e) / (i - r));
		}
		return o;
	}
	links(e) {
		let t = new Uint32Array(this.queries.length + 1), n = [], r = [];
		for (let i = 0; i < this.queries.length; i++) this.visit(i, (t, i) => {
			Math.abs(i) < e || (n.push(t), r.push(i));
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
}, Cc = 4, wc = .001, Tc = class {
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
	#n = /* @__PURE__ */ N(!1);
	get detail() {
		return U(this.#n);
	}
	set detail(e) {
		P(this.#n, e, !0);
	}
	#r = /* @__PURE__ */ N(null);
	get pointed() {
		return U(this.#r);
	}
	set pointed(e) {
		P(this.#r, e, !0);
	}
	#i = /* @__PURE__ */ N(null);
	get found() {
		return U(this.#i);
	}
	set found(e) {
		P(this.#i, e);
	}
	#a = /* @__PURE__ */ N(!1);
	get dark() {
		return U(this.#a);
	}
	set dark(e) {
		P(this.#a, e, !0);
	}
	stores = [];
	constructor(e, t) {
		this.selection = structuredClone(e), this.dark = t;
	}
}, Ec = class {
	scene;
	buffer;
	pane;
	names;
	shared;
	picture = null;
	linkCache = /* @__PURE__ */ new Map();
	constructor(e, t, n, r = null, i = null) {
		this.scene = e, this.buffer = t, this.pane = r ?? e, this.names = i?.names ?? new hc(e.names), this.shared = i?.shared ?? new Tc(e.selection, n), this.shared.stores.push(this);
	}
	get selection() {
		return this.shared.selection;
	}
	get hover() {
		return this.shared.hover;
	}
	set hover(e) {
		this.shared.hover = e;
	}
	leave() {
		let e = this.hover;
		requestAnimationFrame(() => {
			this.hover === e && (this.hover = null);
		});
	}
	get detail() {
		return this.shared.detail;
	}
	set detail(e) {
		this.shared.detail = e;
	}
	get pointed() {
		return this.shared.pointed;
	}
	set pointed(e) {
		this.shared.pointed = e;
	}
	get found() {
		return this.shared.found;
	}
	set found(e) {
		this.shared.found = e;
	}
	get dark() {
		return this.shared.dark;
	}
	set dark(e) {
		this.shared.dark = e;
	}
	get panes() {
		return this.shared.stores;
	}
	get colours() {
		return this.dark ? aa.dark : aa.light;
	}
	colourOf(e, t = this.layer.layer) {
		let { kind: n, colour: r } = this.selection;
		if (n === "model" && r !== "head" && !this.rollout) {
			let n = this.names.best(r, this.attention.attention, t, e);
			return n ? n.name[this.dark ? "dark" : "light"] : this.colours.quiet;
		}
		let i = this.dark ? this.scene.palette.dark : this.scene.palette.light;
		return i[e % i.length];
	}
	#e = /* @__PURE__ */ j(() => this.pane.attentions.find((e) => e.attention === this.selection.attention) ?? this.pane.attentions[0]);
	get attention() {
		return U(this.#e);
	}
	set attention(e) {
		P(this.#e, e);
	}
	get rollout() {
		return this.attention.attention.endsWith("rollout");
	}
	#t = /* @__PURE__ */ j(() => this.attention.layers.find((e) => e.layer === this.selection.layer) ?? this.attention.layers[0]);
	get layer() {
		return U(this.#t);
	}
	set layer(e) {
		P(this.#t, e);
	}
	#n = /* @__PURE__ */ j(() => {
		let e = this.layer.heads.filter((e) => this.selection.heads.includes(e));
		return e.length > 0 ? e : this.layer.heads;
	});
	get heads() {
		return U(this.#n);
	}
	set heads(e) {
		P(this.#n, e);
	}
	nameOf(e, t = this.layer.layer) {
		return this.rollout ? `rollout to ${t}` : `${t}.${e}`;
	}
	hasNames(e, t) {
		return Zs.every((n) => {
			let r = this.selection[n];
			return r === "" || this.names.best(n, this.attention.attention, e, t)?.name.name === r;
		});
	}
	#r = /* @__PURE__ */ j(() => this.pane.sides[this.attention.queries]);
	get querySide() {
		return U(this.#r);
	}
	set querySide(e) {
		P(this.#r, e);
	}
	#i = /* @__PURE__ */ j(() => this.pane.sides[this.attention.keys]);
	get keySide() {
		return U(this.#i);
	}
	set keySide(e) {
		P(this.#i, e);
	}
	#a = /* @__PURE__ */ j(() => this.attention.queries === this.attention.keys && this.querySide.b_start !== null);
	get hasSentences() {
		return U(this.#a);
	}
	set hasSentences(e) {
		P(this.#a, e);
	}
	#o = /* @__PURE__ */ j(() => [this.querySide, this.keySide].some((e) => e.words.some((t, n) => n > 0 && t === e.words[n - 1])));
	get hasWords() {
		return U(this.#o);
	}
	set hasWords(e) {
		P(this.#o, e);
	}
	#s = /* @__PURE__ */ j(() => this.attention.layers.some((e) => e.value_norms));
	get hasNorms() {
		return U(this.#s);
	}
	set hasNorms(e) {
		P(this.#s, e);
	}
	get normed() {
		return this.selection.weighting === "value norms" && this.hasNorms && this.selection.kind !== "neuron";
	}
	#c = /* @__PURE__ */ j(() => this.attention.shares && this.keySide.tokens.length > 1 && this.attention.layers.every(({ tiles: e }) => !e || e.first));
	get hasFirst() {
		return U(this.#c);
	}
	set hasFirst(e) {
		P(this.#c, e);
	}
	get withoutFirst() {
		return this.selection.without_first && this.hasFirst && this.selection.kind !== "neuron";
	}
	get hasProbabilities() {
		return this.querySide.probabilities.length > 0;
	}
	probability(e) {
		let { start: t, end: n } = this.queries[e] ?? {
			start: 0,
			end: 0
		}, r = this.querySide.probabilities.slice(t, n);
		return r.length === 0 || r.some((e) => e === null) ? null : r.reduce((e, t) => e * t, 1);
	}
	isGenerated(e, t) {
		let { generated: n } = e === "query" ? this.querySide : this.keySide;
		return n !== null && this.unitsAt(e)[t].start >= n;
	}
	firstShare(e, t = this.heads, n = this.layer.layer) {
		let r = (t) => this.hasRows(t, n) ? this.unitMap(t, n).first(e) : this.tileFirst(e, t, n);
		return t.reduce((e, n) => e + r(n) / t.length, 0);
	}
	tileFirst(e, t, n) {
		let r = this.tiles(t, n);
		return r ? r.first(Math.floor(this.queries[e].start / r.size)) : 0;
	}
	headFirst(e, t = this.layer.layer) {
		let n = this.tiles(e, t);
		if (n) return n.meanFirst(this.querySide.tokens.length, this.attention.causal);
		let r = this.cached(e, t);
		return r.first ??= this.meanFirst(e, t);
	}
	meanFirst(e, t) {
		let n = this.map(e, t), r = +!!this.attention.causal, i = 0;
		for (let e = r; e < n.queries; e++) i += n.first(e);
		return i / Math.max(1, n.queries - r);
	}
	#l = /* @__PURE__ */ j(() => this.units(this.querySide, 0));
	get queries() {
		return U(this.#l);
	}
	set queries(e) {
		P(this.#l, e);
	}
	#u = /* @__PURE__ */ j(() => this.units(this.keySide, 1));
	get keys() {
		return U(this.#u);
	}
	set keys(e) {
		P(this.#u, e);
	}
	#d = /* @__PURE__ */ j(() => xc(this.keys, this.keySide.tokens.length));
	get unitOfKey() {
		return U(this.#d);
	}
	set unitOfKey(e) {
		P(this.#d, e);
	}
	units(e, t) {
		let n = this.hasSentences ? bc(this.selection.sentences)[t] : "all";
		return vc(e, this.selection.level, n);
	}
	map(e, t = this.layer.layer) {
		return pc(this.keySide.tokens.length, this.buffer, this.attention, t, e, {
			normed: this.normed,
			withoutFirst: this.withoutFirst
		});
	}
	tiles(e, t = this.layer.layer) {
		return mc(this.buffer, this.attention, t, e, this.withoutFirst);
	}
	hasRows(e, t = this.layer.layer) {
		let { with_rows: n } = this.attention.layers.find((e) => e.layer === t);
		return n?.includes(e) ?? !0;
	}
	hasHead(e, t) {
		return this.attention.layers.find((t) => t.layer === e)?.heads.includes(t) ?? !1;
	}
	unitMap(e, t = this.layer.layer) {
		return new Sc(this.map(e, t), this.queries, this.keys, this.unitOfKey);
	}
	links(e, t = this.layer.layer) {
		return this.cached(e, t).links;
	}
	incoming(e, t = this.layer.layer) {
		let n = this.cached(e, t);
		return n.incoming ??= _c(n.links, this.keys.length);
	}
	cached(e, t) {
		let { level: n, sentences: r } = this.selection, i = [
			this.attention.attention,
			t,
			e,
			n,
			this.hasSentences ? r : "all",
			this.normed,
			this.withoutFirst
		].join(" "), a = this.linkCache.get(i);
		if (!a) {
			this.linkCache.size > 400 && this.linkCache.clear();
			let n = this.unitMap(e, t), r = this.attention.shares ? wc : wc * n.map.scale;
			a = { links: n.links(r) }, this.linkCache.set(i, a);
		}
		return a;
	}
	ceiling(e, t = this.layer.layer) {
		return Math.max(...this.panes.map((n) => n.ownCeiling(e, t)));
	}
	ownCeiling(e, t) {
		let n = e.filter((e) => this.hasHead(t, e) && this.hasRows(e, t));
		return Math.max(0, ...n.map((e) => this.headCeiling(e, t))) || 1;
	}
	headCeiling(e, t = this.layer.layer) {
		let n = this.cached(e, t);
		return n.ceiling ??= ja(n.links, this.attention.shares);
	}
	commonCeiling() {
		let e = this.attention.layers.flatMap(({ layer: e, heads: t }) => t.map((t) => this.ownCeiling([t], e))).sort((e, t) => e - t);
		return e[Math.floor((e.length - 1) * .9)];
	}
	activeCeiling(e, t = this.layer.layer) {
		let n = 0;
		for (let r of e.filter((e) => this.hasHead(t, e) && this.hasRows(e, t))) {
			let [e, i] = [this.links(r, t), this.incoming(r, t)];
			for (let [t, r] of this.active) if (t === "query") for (let t = e.rows[r]; t < e.rows[r + 1]; t++) n = Math.max(n, Math.abs(e.weight[t]));
			else for (let t = i.columns[r]; t < i.columns[r + 1]; t++) n = Math.max(n, Math.abs(e.weight[i.at[t]]));
		}
		return n || 1;
	}
	drawn(e, t = this.layer.layer) {
		let n = this.selection.threshold, r = e.filter((e) => this.hasHead(t, e)).map((e) => {
			let r = this.cached(e, t), i = n === null ? r.best ??= Pa(r.links) : null;
			return {
				head: e,
				colour: this.colourOf(e, t),
				links: r.links,
				incoming: this.incoming(e, t),
				best: i
			};
		}), i = r.map(({ links: e }) => e), { shares: a, signed: o } = this.attention, s = Math.max(this.ceiling(e, t), a ? Math.min(1, Cc / this.keys.length) : 0), c = n ?? Ma(i, a ? 1 : s), l = Na(i, c), u = this.keys.length === this.keySide.tokens.length || this.selection.sentences === "all", d = a && u ? r.length * this.queries.length : r.reduce((e, { links: t }) => t.weight.reduce((e, t) => e + Math.abs(t), e), 0);
		return {
			heads: r,
			least: l,
			cut: l > c,
			ceiling: s,
			mass: Fa(r, l, d),
			signed: o
		};
	}
	#f = /* @__PURE__ */ j(() => {
		let e = this.selection.pinned.map(([e, t]) => [e, this.unitAt(e, t)]), t = this.hover ? [...e, this.hover] : e, n = /* @__PURE__ */ new Set();
		return t.filter(([e, t]) => t >= 0 && t < this.unitsAt(e).length && !n.has(`${e}${t}`) && n.add(`${e}${t}`));
	});
	get active() {
		return U(this.#f);
	}
	set active(e) {
		P(this.#f, e);
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
	ask(e, t) {
		this.selection.asked = [this.queries[e].start, this.keys[t].start], this.keys[t].start === 0 && (this.selection.without_first = !1), this.selection.order = "asked", this.selection.reverse = !1, this.selection.kind = "model", this.selection.pinned = [], this.hover = null;
	}
	unask() {
		this.selection.asked = null, this.selection.order === "asked" && (this.selection.order = "layer");
	}
	#p = /* @__PURE__ */ j(() => {
		if (!this.selection.asked) return null;
		let e = [this.unitAt("query", this.selection.asked[0]), this.unitAt("key", this.selection.asked[1])];
		return e[0] >= 0 && e[1] >= 0 ? e : null;
	});
	get asked() {
		return U(this.#p);
	}
	set asked(e) {
		P(this.#p, e);
	}
	#m = /* @__PURE__ */ j(() => {
		let e = (e) => this.selection.pinned.filter(([t]) => t === e), [t, n] = [e("query"), e("key")];
		if (t.length !== 1 || n.length !== 1) return null;
		let r = [this.unitAt("query", t[0][1]), this.unitAt("key", n[0][1])];
		return r[0] >= 0 && r[1] >= 0 ? r : null;
	});
	get pair() {
		return U(this.#m);
	}
	set pair(e) {
		P(this.#m, e);
	}
	weight(e, t, [n, r]) {
		return this.hasRows(e, t) ? this.unitMap(e, t).between(n, r, this.attention.causal) : null;
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
		this.hover = null, this.detail = !1;
		let { attentions: t } = this.pane, n = this.rollout, r = t.find((t) => t.attention === e);
		(r.queries !== this.attention.queries || r.keys !== this.attention.keys) && (this.selection.pinned = []), this.selection.attention = e, e.endsWith("rollout") && !n && (this.selection.layer = r.layers.at(-1).layer), r.layers.some((e) => e.layer === this.selection.layer) || (this.selection.layer = r.layers[0].layer);
		let i = r.layers.find((e) => e.layer === this.selection.layer).heads;
		(!this.selection.heads.some((e) => i.includes(e)) || this.selection.heads.length === 1) && (this.selection.heads = [...i]);
	}
	stepLayer(e) {
		let t = this.attention.layers.map((e) => e.layer), n = t[t.indexOf(this.layer.layer) + e];
		n !== void 0 && (this.selection.layer = n);
	}
	matches(e) {
		let t = e.trim().toLowerCase();
		return t ? this.queries.flatMap((e, n) => e.text.toLowerCase().includes(t) ? [n] : []) : [];
	}
};
//#endregion
//#region src/draw/thumbnail.ts
function Dc(e, t, n, { x: r, y: i, size: a }, o, s, c, l = () => !0, u = Array(t).keys()) {
	let d = Math.min(1, a / 64), f = (e, t) => i + 3 + (e + .5) * (a - 6) / t, p = [];
	for (let i of u) for (let u = e.rows[i]; u < e.rows[i + 1]; u++) {
		let m = e.weight[u];
		if (Math.abs(m) < o || !l(i, e.to[u])) continue;
		let h = Ia(m, s);
		p.push({
			type: "line",
			from: [r + 3, f(i, t)],
			to: [r + a - 3, f(e.to[u], n)],
			colour: c(m),
			alpha: h ** 1.2,
			width: (.5 + h * .9) * d
		});
	}
	return p.sort((e, t) => e.alpha - t.alpha);
}
function Oc(e, t, n, r, i, a, o = !1) {
	let [s, c] = [Math.min(r, n), Math.min(r, t)], l = new Uint8Array(s * c);
	o && l.fill(128);
	for (let r = 0; r < t; r++) {
		let u = Math.floor(r * c / t) * s;
		for (let t = e.rows[r]; t < e.rows[r + 1]; t++) {
			if (Math.abs(e.weight[t]) < i) continue;
			let r = u + Math.floor(e.to[t] * s / n), c = fs(e.weight[t], a, o);
			(o ? Math.abs(c - 128) > Math.abs(l[r] - 128) : c > l[r]) && (l[r] = c);
		}
	}
	return {
		bytes: l,
		width: s,
		height: c
	};
}
function kc(e, t, n, r = !1) {
	let i = e[0].rows.length - 1, a = [0], [o, s] = [[], []], c = new Float32Array(t);
	for (let t = 0; t < i; t++) {
		c.fill(0);
		for (let n of e) for (let r = n.rows[t]; r < n.rows[t + 1]; r++) c[n.to[r]] += n.weight[r] / e.length;
		c.forEach((e, t) => e !== 0 && (o.push(t), s.push(e))), a.push(o.length);
	}
	let l = {
		rows: Uint32Array.from(a),
		to: Uint32Array.from(o),
		weight: Float32Array.from(s)
	};
	return Oc(l, i, t, n, 0, ja(l, !r), r);
}
function Ac(e, t, n) {
	return e ? (e) => e > 0 ? t.positive : t.negative : () => n;
}
//#endregion
//#region src/draw/thumbnails.ts
var jc = (e) => Math.max(e.queries.length, e.keys.length) <= 96;
function Mc(e) {
	let t = jc(e) ? .03 : wc;
	return e.selection.threshold ?? (e.attention.shares ? t : t * e.commonCeiling());
}
var Nc = (e) => !e.attention.shares;
function Pc(e, t) {
	let { queries: n, keys: r, colours: i, dark: a } = e, { signed: o, shares: s } = e.attention, { threshold: c } = e.selection, l = Mc(e), u = jc(e), d = /* @__PURE__ */ new Map(), f = ({ layer: e, head: t }) => `${e}.${t}`, p = o && e.panes.length > 1, m, h = ({ layer: t, head: n }) => p ? m ??= e.commonCeiling() : s ? 1 : e.headCeiling(n, t), g = (t) => ({
		links: e.links(t.head, t.layer),
		ceiling: h(t)
	}), _ = ({ bytes: e, width: t, height: n }) => Jo(e, t, n, a, { signed: o });
	function v(a, s) {
		let { x: c, y: d, layer: f, head: p } = a, m = e.tiles(p, f), h = {
			type: "raster",
			x: c,
			y: d,
			width: t,
			height: t
		};
		if (m) return [{
			...h,
			source: _(Cs(m, s))
		}];
		let { links: v, ceiling: y } = g(a);
		return u ? Dc(v, n.length, r.length, {
			x: c,
			y: d,
			size: t
		}, l, y, Ac(o, i, e.colourOf(p, f))) : [{
			...h,
			source: _(Oc(v, n.length, r.length, s, l, y, o))
		}];
	}
	function y(a) {
		if (!e.hasRows(a.head, a.layer)) return [];
		let s = (t) => new Set(e.active.filter(([e]) => e === t).map(([, e]) => e)), [l, d] = [s("query"), s("key")], { links: f, ceiling: p } = g(a), m = Math.max(c ?? .005, .001), h = Fc(f, l, d, m), _ = (e, t) => (d.size === 0 || d.has(t)) && h(e, t), v = l.size > 0 ? [...l] : [...n.keys()];
		if (u) {
			let s = Ac(o, i, e.colourOf(a.head, a.layer));
			return Dc(f, n.length, r.length, {
				x: a.x,
				y: a.y,
				size: t
			}, m, p, s, _, v).map((e) => ({
				...e,
				width: e.width + .6
			}));
		}
		let y = (e, n) => (e + .5) / n * t, b = [];
		for (let e of v) for (let t = f.rows[e]; t < f.rows[e + 1]; t++) {
			if (Math.abs(f.weight[t]) < m || !_(e, f.to[t])) continue;
			let o = Ia(f.weight[t], p);
			b.push({
				type: "box",
				x: a.x + y(f.to[t], r.length) - 1.5,
				y: a.y + y(e, n.length) - 1.5,
				width: 3,
				height: 3,
				colour: i.negative,
				alpha: .25 + .75 * o
			});
		}
		return b;
	}
	return {
		note: p ? "all on one scale" : s ? u ? "links as strong as their weight" : "from 0, pale, to 1, dark" : "each head on its own scale",
		ready: (e) => d.has(f(e)),
		draw(n, r) {
			let i = d.get(f(r));
			if (!i) {
				let e = Math.round(t * Math.min(window.devicePixelRatio || 1, 2));
				i = document.createElement("canvas"), i.width = i.height = e;
				let n = i.getContext("2d");
				n.scale(e / t, e / t), da(n, v({
					...r,
					x: 0,
					y: 0
				}, e)), d.set(f(r), i);
			}
			let a = e.active.length > 0;
			n.globalAlpha = a ? .22 : 1, n.imageSmoothingEnabled = !0, n.drawImage(i, r.x, r.y, t, t), n.globalAlpha = 1, a && da(n, y(r));
		},
		marks: (n) => e.active.length > 0 ? y(n) : v(n, 2 * t)
	};
}
function Fc(e, t, n, r) {
	let i = (t) => {
		let n = /* @__PURE__ */ new Set();
		for (let i = e.rows[t]; i < e.rows[t + 1]; i++) Math.abs(e.weight[i]) >= r && n.add(e.to[i]);
		return n;
	}, a = t.size > 1 ? [...t].map(i) : [], o = /* @__PURE__ */ new Map();
	return (e, t) => {
		if (a.length > 0 && !a.every((e) => e.has(t))) return !1;
		if (n.size < 2) return !0;
		let r = o.get(e);
		if (r === void 0) {
			let t = i(e);
			o.set(e, r = [...n].every((e) => t.has(e)));
		}
		return r;
	};
}
//#endregion
//#region src/parts/HeadDetail.svelte
var Ic = /* @__PURE__ */ G("<span><i class=\"svelte-1q3bs3j\"></i><em class=\"svelte-1q3bs3j\"> </em> <bdi> </bdi></span>"), Lc = /* @__PURE__ */ G("<p class=\"names svelte-1q3bs3j\"></p>"), Rc = /* @__PURE__ */ G("<div class=\"svelte-1q3bs3j\"><dt class=\"svelte-1q3bs3j\"> </dt> <dd class=\"svelte-1q3bs3j\"> </dd></div>"), zc = /* @__PURE__ */ G("<dl tabindex=\"0\" class=\"svelte-1q3bs3j\"></dl>"), Bc = /* @__PURE__ */ G("<section class=\"detail svelte-1q3bs3j\"><header class=\"svelte-1q3bs3j\"><h2 class=\"svelte-1q3bs3j\"> </h2> <button type=\"button\" class=\"plain\">Open in head view</button> <button type=\"button\" class=\"plain\" aria-label=\"Close the detail\">✕</button></header> <!> <!> <!> <!></section>");
function Vc(e, t) {
	k(t, !0);
	let n = Qe("store"), r = /* @__PURE__ */ N(void 0);
	function i() {
		let { width: e, height: t, marks: i } = U(r)?.picture() ?? {
			width: 240,
			height: 0,
			marks: []
		}, o = {
			type: "words",
			x: 12,
			y: 14,
			text: U(a),
			size: 15,
			colour: n.colours.ink,
			anchor: "start",
			bold: !0
		};
		return {
			width: e,
			height: t + 28,
			marks: [o, ...Ta(i, 0, 28)]
		};
	}
	let a = /* @__PURE__ */ j(() => n.rollout ? `Rollout to layer ${t.layer}` : `Layer ${t.layer}, head ${t.head}`), o = /* @__PURE__ */ j(() => n.scene.statistics.flatMap(({ name: e, values: r }) => {
		let i = r.find(([e, r, i]) => e === n.attention.attention && r === t.layer && i === t.head);
		return i ? [{
			name: e,
			value: i[3]
		}] : [];
	})), s = /* @__PURE__ */ j(() => n.names.kinds.flatMap((e) => {
		let r = n.names.best(e, n.attention.attention, t.layer, t.head), i = n.names.secondBest(e, n.attention.attention, t.layer, t.head), a = ({ name: e, confidence: t }) => `${e.title} ${t.toFixed(2)}`;
		return r ? [{
			kind: e,
			colour: r.name[n.dark ? "dark" : "light"],
			text: a(r) + (i ? `, then ${a(i)}` : "")
		}] : [];
	}));
	var c = { picture: i }, l = Bc(), u = F(l), d = F(u), f = L(d, !0), p = R(d, 2), m = R(p, 2);
	O(u);
	var h = R(u, 2), g = (e) => {
		var t = Lc();
		Y(t, 21, () => U(s), ({ kind: e, colour: t, text: n }) => e, (e, t) => {
			let n = () => U(t).kind, r = () => U(t).colour, i = () => U(t).text;
			var a = Ic(), o = F(a);
			let s;
			var c = R(o), l = L(c, !0), u = L(R(c, 2), !0);
			O(a), B(() => {
				s = X(o, "", s, { background: r() }), q(l, n()), q(u, i());
			}), K(e, a);
		}), O(t), K(e, t);
	};
	J(h, (e) => {
		U(s).length > 0 && e(g);
	});
	var _ = R(h, 2), v = (e) => {
		{
			let n = /* @__PURE__ */ j(() => [t.head]);
			ta(vo(e, {
				get layer() {
					return t.layer;
				},
				get heads() {
					return U(n);
				}
			}), (e) => P(r, e, !0), () => U(r));
		}
	}, y = /* @__PURE__ */ j(() => n.hasRows(t.head, t.layer)), b = (e) => {
		{
			let n = /* @__PURE__ */ j(() => [t.head]);
			Bo(e, {
				get layer() {
					return t.layer;
				},
				get heads() {
					return U(n);
				}
			});
		}
	};
	J(_, (e) => {
		U(y) ? e(v) : e(b, -1);
	});
	var x = R(_, 2), S = (e) => {
		var t = zc();
		Y(t, 21, () => U(o), ({ name: e, value: t }) => e, (e, t, n, r) => {
			let i = () => U(t).name, a = () => U(t).value;
			var o = Rc(), s = F(o), c = L(s, !0), l = L(R(s, 2), !0);
			O(o), B((e) => {
				q(c, i()), q(l, e);
			}, [() => a().toPrecision(2)]), K(e, o);
		}), O(t), K(e, t);
	};
	J(x, (e) => {
		U(o).length > 0 && e(S);
	});
	var C = R(x, 2), w = (e) => {
		{
			let n = /* @__PURE__ */ j(() => [t.head]);
			Ro(e, {
				get layer() {
					return t.layer;
				},
				get heads() {
					return U(n);
				}
			});
		}
	}, ee = /* @__PURE__ */ j(() => n.hasRows(t.head, t.layer));
	return J(C, (e) => {
		U(ee) && e(w);
	}), O(l), B(() => {
		Z(l, "aria-label", n.panes.length > 1 ? `${U(a)}, ${n.pane.name}` : U(a)), q(f, U(a));
	}), W("click", p, () => n.selection.kind = "head"), W("click", m, () => n.detail = !1), K(e, l), A(c);
}
Pr(["click"]);
//#endregion
//#region src/parts/NameLegend.svelte
var Hc = /* @__PURE__ */ G("<button type=\"button\" class=\"svelte-1usz3du\"><i class=\"svelte-1usz3du\"></i><bdi> </bdi> <span class=\"svelte-1usz3du\"> </span></button>"), Uc = /* @__PURE__ */ G("<p class=\"svelte-1usz3du\"> </p>"), Wc = /* @__PURE__ */ G("<div class=\"names svelte-1usz3du\" role=\"group\"></div>");
function Gc(e, t) {
	k(t, !0);
	let n = Qe("store"), r = /* @__PURE__ */ j(() => n.names.counted(t.kind, n.attention.attention));
	var i = Wc();
	Y(i, 21, () => U(r), ({ name: e, count: t }) => e.name, (e, r) => {
		let i = () => U(r).name, a = () => U(r).count, o = /* @__PURE__ */ j(() => n.selection[t.kind] === i().name);
		var s = Hc(), c = F(s);
		let l;
		var u = R(c), d = L(u, !0), f = L(R(u, 2), !0);
		O(s), B(() => {
			Z(s, "aria-pressed", U(o)), Z(s, "title", U(o) ? "Show all heads again" : `Only heads whose ${t.kind} is ${i().title}`), l = X(c, "", l, { background: n.dark ? i().dark : i().light }), q(d, i().title), q(f, a());
		}), W("click", s, () => n.selection[t.kind] = U(o) ? "" : i().name), K(e, s);
	}, (e) => {
		var n = Uc(), r = L(n);
		B(() => q(r, `No head of this attention has a ${t.kind ?? ""}.`)), K(e, n);
	}), O(i), B(() => Z(i, "aria-label", `Heads by ${t.kind ?? ""}`)), K(e, i), A();
}
Pr(["click"]);
//#endregion
//#region src/parts/Sentence.svelte
var Kc = /* @__PURE__ */ G("<button type=\"button\"><bdi class=\"svelte-pm0r2l\"> </bdi></button>"), qc = /* @__PURE__ */ G("<span class=\"more svelte-pm0r2l\"> </span>"), Jc = /* @__PURE__ */ G("<span class=\"asked svelte-pm0r2l\" role=\"status\">Heads by what they put on <strong class=\"svelte-pm0r2l\"> </strong></span> <button type=\"button\" class=\"plain svelte-pm0r2l\">Stop asking</button>", 1), Yc = /* @__PURE__ */ G("<div><label class=\"direction\"><span class=\"hidden\">Light the tokens that</span> <select><option>from</option><option>to</option></select></label> <div class=\"tokens svelte-pm0r2l\" role=\"group\"><!> <!></div> <!></div>");
function Xc(e, t) {
	k(t, !0);
	let n = Qe("store"), r, i = /* @__PURE__ */ N(0), a = co(n), o = /* @__PURE__ */ j(() => n.selection.direction === "from" ? "query" : "key"), s = /* @__PURE__ */ j(() => n.unitsAt(U(o)).slice(0, 400)), c = /* @__PURE__ */ j(() => n.selection.order === "asked" && n.asked && `${jo(n.queries[n.asked[0]].text)} → ${jo(n.keys[n.asked[1]].text)}`);
	async function l(e, t) {
		let n = {
			ArrowLeft: -1,
			ArrowRight: 1
		}[e.key];
		n !== void 0 && (e.preventDefault(), P(i, Math.max(0, Math.min(U(s).length - 1, t + n)), !0), await _r(), r.querySelector(`[data-index="${U(i)}"]`)?.focus());
	}
	z(() => {
		let e = n.found?.unit;
		e !== void 0 && r.querySelector(`[data-index="${e}"]`)?.scrollIntoView({ block: "nearest" });
	});
	var u = Yc();
	Wi(u, () => ({
		class: "sentence",
		...a.handlers
	}), void 0, void 0, void 0, "svelte-pm0r2l");
	var d = F(u), f = R(F(d), 2), p = F(f);
	p.value = p.__value = "from";
	var m = R(p);
	m.value = m.__value = "to", O(f), Di(f), O(d);
	var h = R(d, 2), g = F(h);
	Y(g, 19, () => U(s), (e) => e.start, (e, t, r) => {
		var s = Kc();
		let c;
		var u = L(F(s), !0);
		O(s), B((e, t, n) => {
			Z(s, "data-end", U(o)), Z(s, "data-index", U(r)), Z(s, "aria-pressed", e), Z(s, "tabindex", U(i) === U(r) ? 0 : -1), c = xi(s, 1, "svelte-pm0r2l", null, c, {
				generated: t,
				target: a.over?.[1] === U(r)
			}), q(u, n);
		}, [
			() => n.isPinned(U(o), U(r)),
			() => n.isGenerated(U(o), U(r)),
			() => Ea(U(t).text, 24)
		]), W("click", s, () => a.isClick() && (P(i, U(r), !0), n.togglePin(U(o), U(r)))), Nr("pointerenter", s, (e) => e.pointerType === "mouse" && !a.line && (n.hover = [U(o), U(r)])), Nr("pointerleave", s, () => !a.line && n.leave()), Nr("focus", s, (e) => e.currentTarget.matches(":focus-visible") && (n.hover = [U(o), U(r)])), Nr("blur", s, () => n.hover = null), W("keydown", s, (e) => l(e, U(r))), K(e, s);
	});
	var _ = R(g, 2), v = (e) => {
		var t = qc(), r = L(t);
		B((e) => q(r, `and ${e ?? ""} more: find them, or use the text view`), [() => n.unitsAt(U(o)).length - 400]), K(e, t);
	}, y = /* @__PURE__ */ j(() => n.unitsAt(U(o)).length > 400);
	J(_, (e) => {
		U(y) && e(v);
	}), O(h);
	var b = R(h, 2), x = (e) => {
		var t = Jc(), r = I(t), i = L(R(F(r)), !0);
		O(r);
		var a = R(r, 2);
		B(() => q(i, U(c))), W("click", a, () => n.unask()), K(e, t);
	};
	J(b, (e) => {
		U(c) && e(x);
	}), O(u), ta(u, (e) => r = e, () => r), B(() => Z(h, "aria-label", U(o) === "query" ? "Tokens that attend" : "Tokens attended to")), Oi(f, () => n.selection.direction, (e) => n.selection.direction = e), K(e, u), A();
}
Pr(["click", "keydown"]);
//#endregion
//#region src/views/ModelView.svelte
var Zc = /* @__PURE__ */ G("<p class=\"scale svelte-1xwjh1o\"> </p>"), Qc = /* @__PURE__ */ G("<span class=\"layer svelte-1xwjh1o\" aria-hidden=\"true\"> </span>"), $c = /* @__PURE__ */ G("<span class=\"caption svelte-1xwjh1o\" aria-hidden=\"true\"> </span>"), el = /* @__PURE__ */ G("<button type=\"button\"></button> <!>", 1), tl = /* @__PURE__ */ G("<p class=\"none svelte-1xwjh1o\"> </p>"), nl = /* @__PURE__ */ G("<div role=\"group\" aria-label=\"Heads\"><!> <!> <!></div>"), rl = /* @__PURE__ */ G("<!> <!> <!> <div class=\"model svelte-1xwjh1o\"><div class=\"grid svelte-1xwjh1o\"><!></div> <!></div>", 1);
function il(e, t) {
	k(t, !0);
	let n = Qe("store"), r = /* @__PURE__ */ N(900), i, a = /* @__PURE__ */ N(void 0), o = /* @__PURE__ */ N(0), s = /* @__PURE__ */ N(void 0), c = /* @__PURE__ */ N(0), l = /* @__PURE__ */ j(() => n.selection.order === "asked" ? n.asked : null), u = /* @__PURE__ */ j(() => Zs.some((e) => n.selection[e] !== "")), d = /* @__PURE__ */ j(() => n.rollout ? "head" : n.selection.colour), f = /* @__PURE__ */ j(() => n.selection.order === "layer" && !U(u)), p = /* @__PURE__ */ j(() => {
		let { order: e, reverse: t } = n.selection, r = U(l) ? (e, t) => n.weight(t, e, U(l)) : void 0, i = U(u) ? (e, t) => n.hasNames(e, t) : void 0;
		return Js(n.attention, n.scene.statistics, {
			by: e,
			reverse: t,
			kept: i,
			answer: r
		});
	}), m = /* @__PURE__ */ j(() => Zs.flatMap((e) => n.selection[e] ? [`the ${e} ${n.selection[e]}`] : []).join(" and ")), h = /* @__PURE__ */ j(() => Ys(U(p), U(f), U(r), n.selection.square)), g = /* @__PURE__ */ j(() => U(h).size), _ = /* @__PURE__ */ j(() => Pc(n, U(g))), v = /* @__PURE__ */ j(() => U(l) ? Math.max(.05, ...U(p).map(({ value: e }) => Math.abs(e ?? 0))) : 1);
	z(() => {
		let { order: e, reverse: t, asked: r, behaviour: i, pattern: s, shape: c } = n.selection;
		br(() => U(a)?.toTop()), P(o, 0);
	});
	function y(e, t) {
		U(c);
		let n = performance.now(), r = !1;
		for (let i of U(h).cells) i.y + U(g) < t.y || i.y > t.y + t.height || (U(l) && S(e, i), !U(_).ready(i) && performance.now() - n > 12 ? r = !0 : (U(_).draw(e, i), da(e, [...b(i), ...x(i)])));
		r && requestAnimationFrame(() => tn(c));
	}
	function b(e) {
		if (U(d) === "head") return [];
		let t = n.colourOf(e.head, e.layer), r = U(g) + 4;
		return [
			[
				-2,
				-2,
				r,
				2
			],
			[
				-2,
				U(g),
				r,
				2
			],
			[
				-2,
				0,
				2,
				U(g)
			],
			[
				U(g),
				0,
				2,
				U(g)
			]
		].map(([n, r, i, a]) => ({
			type: "box",
			x: e.x + n,
			y: e.y + r,
			width: i,
			height: a,
			colour: t,
			alpha: 1
		}));
	}
	function x(e) {
		if (!n.withoutFirst) return [];
		let t = U(g) * n.headFirst(e.head, e.layer);
		return [{
			type: "box",
			x: e.x - (U(g) < 40 ? 2 : 4),
			y: e.y + U(g) - t,
			width: U(g) < 40 ? 1.5 : 3,
			height: t,
			colour: n.colours.quiet,
			alpha: .9
		}];
	}
	function S(e, t) {
		let r = t.answer?.low ?? 0;
		e.globalAlpha = .45 * (Math.abs(r) / U(v)), e.fillStyle = r < 0 ? n.colours.negative : n.colours.accent, e.fillRect(t.x, t.y, U(g), U(g)), e.globalAlpha = 1;
	}
	function C() {
		let { colours: e } = n, t = U(h).cells.flatMap((t) => [
			...U(_).marks(t),
			...b(t),
			...x(t),
			{
				type: "words",
				x: t.x + U(g) / 2,
				y: t.y + U(g) + 7,
				text: w(t),
				size: 9,
				colour: e.quiet,
				anchor: "middle"
			}
		]), r = Math.max(...U(h).cells.map(({ x: e }) => e + U(g)), 0) + 8, i = U(d) === "head" ? {
			marks: [],
			height: 0
		} : ao(n, U(d), 8, U(h).height, r), a = U(h).height + i.height;
		t.push(...i.marks);
		let o = {
			type: "words",
			x: 8,
			y: a + 8,
			text: `Heads of ${Ea(n.scene.title, 60)}: ${U(_).note}`,
			size: 11,
			colour: e.quiet,
			anchor: "start"
		};
		if (!U(s) || !n.detail) return {
			width: r,
			height: a + 20,
			marks: [...t, o]
		};
		let c = U(s).picture();
		return {
			width: r + c.width,
			height: Math.max(a + 20, c.height),
			marks: [
				...t,
				o,
				...Ta(c.marks, r, 0)
			]
		};
	}
	z(() => {
		n.picture = C;
	});
	function w(e) {
		let t = n.nameOf(e.head, e.layer);
		return e.value === null && n.withoutFirst ? `${t} · ${Math.round(100 * n.headFirst(e.head, e.layer))}%` : e.value === null ? t : `${t} · ${e.answer ? no(e.answer) : e.value.toPrecision(2)}`;
	}
	let ee = n.scene.names_from === "text";
	function te(e) {
		let t = n.names.kinds.flatMap((t) => {
			let r = n.names.best(t, n.attention.attention, e.layer, e.head);
			return !r || ee && r.name.name === "none" ? [] : [`${t} ${r.name.title} ${ee ? "on this text" : `(${r.confidence.toFixed(2)})`}`];
		}), r = n.withoutFirst ? [`${Math.round(100 * n.headFirst(e.head, e.layer))}% on the first token, left out`] : [];
		return [
			"",
			...t,
			...r
		].join(", ");
	}
	function ne(e) {
		return n.layer.layer === e.layer && n.heads[0] === e.head && (n.detail || n.heads.length === 1 && n.layer.heads.length > 1);
	}
	let re = (e) => n.detail && ne(e);
	function ie(e, t) {
		P(o, t, !0), n.hover = null, n.detail = !re(e), n.selection.layer = e.layer, n.selection.heads = [e.head];
	}
	function ae(e, t) {
		let n = {
			ArrowLeft: -1,
			ArrowRight: 1,
			ArrowUp: -U(h).perRow,
			ArrowDown: U(h).perRow
		}[e.key];
		n !== void 0 && (e.preventDefault(), P(o, Math.max(0, Math.min(U(h).cells.length - 1, t + n)), !0), i.querySelectorAll("button.head")[U(o)]?.focus());
	}
	var oe = rl(), se = I(oe);
	Xc(se, {});
	var ce = R(se, 2), le = (e) => {
		var t = Zc(), r = L(t);
		B((e) => q(r, `Small squares: a difference of ${e ?? ""} or more is drawn strongest.`), [() => Q(n.commonCeiling())]), K(e, t);
	};
	J(ce, (e) => {
		n.attention.signed && n.panes.length > 1 && e(le);
	});
	var ue = R(ce, 2), de = (e) => {
		Gc(e, { get kind() {
			return U(d);
		} });
	};
	J(ue, (e) => {
		U(d) !== "head" && e(de);
	});
	var fe = R(ue, 2), pe = F(fe);
	ta(uo(F(pe), {
		get width() {
			return U(h).width;
		},
		get height() {
			return U(h).height;
		},
		draw: y,
		get room() {
			return U(r);
		},
		set room(e) {
			P(r, e, !0);
		},
		children: (e) => {
			var t = nl(), r = F(t), i = (e) => {
				var t = Ur();
				Y(I(t), 19, () => n.attention.layers, (e) => e.layer, (e, t, r) => {
					let i = /* @__PURE__ */ j(() => n.selection.reverse ? n.attention.layers.length - 1 - U(r) : U(r));
					var a = Qc();
					let o;
					var s = L(a, !0);
					B((e) => {
						o = X(a, "", o, {
							top: e,
							height: `${U(g) ?? ""}px`
						}), q(s, U(t).layer);
					}, [() => `${U(h).rowTop(U(i)) ?? ""}px`]), K(e, a);
				}), K(e, t);
			};
			J(r, (e) => {
				U(f) && e(i);
			});
			var a = R(r, 2);
			Y(a, 19, () => U(h).cells, (e) => `${e.layer}.${e.head}`, (e, t, n) => {
				var r = el(), i = I(r);
				let a, s;
				var c = R(i, 2), l = (e) => {
					var n = $c();
					let r;
					var i = L(n, !0);
					B((e) => {
						r = X(n, "", r, {
							left: `${U(t).x ?? ""}px`,
							top: `${U(t).y + U(g)}px`,
							width: `${U(g) ?? ""}px`
						}), q(i, e);
					}, [() => Ea(w(U(t)), 14)]), K(e, n);
				}, u = /* @__PURE__ */ j(() => Ks(U(g)));
				J(c, (e) => {
					U(u) && e(l);
				}), B((e, r, c, l, u, f) => {
					a = xi(i, 1, "head svelte-1xwjh1o", null, a, {
						open: e,
						framed: U(d) !== "head"
					}), Z(i, "aria-pressed", r), Z(i, "aria-label", `Head ${c ?? ""}${l ?? ""}`), Z(i, "title", `Head ${u ?? ""}${f ?? ""}`), Z(i, "tabindex", U(o) === U(n) ? 0 : -1), s = X(i, "", s, {
						left: `${U(t).x ?? ""}px`,
						top: `${U(t).y ?? ""}px`,
						width: `${U(g) ?? ""}px`,
						height: `${U(g) ?? ""}px`
					});
				}, [
					() => ne(U(t)),
					() => re(U(t)),
					() => w(U(t)),
					() => ee ? "" : te(U(t)),
					() => w(U(t)),
					() => te(U(t))
				]), W("click", i, () => ie(U(t), U(n))), W("keydown", i, (e) => ae(e, U(n))), K(e, r);
			});
			var s = R(a, 2), c = (e) => {
				var t = tl(), n = L(t);
				B(() => q(n, `No head has ${U(m) ?? ""}.`)), K(e, t);
			};
			J(s, (e) => {
				U(h).cells.length === 0 && e(c);
			}), O(t), K(e, t);
		},
		$$slots: { default: !0 }
	}), (e) => P(a, e, !0), () => U(a)), O(pe), ta(pe, (e) => i = e, () => i);
	var me = R(pe, 2), he = (e) => {
		ta(Vc(e, {
			get layer() {
				return n.layer.layer;
			},
			get head() {
				return n.heads[0];
			}
		}), (e) => P(s, e, !0), () => U(s));
	}, ge = /* @__PURE__ */ j(() => n.detail && n.hasHead(n.layer.layer, n.heads[0]));
	J(me, (e) => {
		U(ge) && e(he);
	}), O(fe), K(e, oe), A();
}
Pr(["click", "keydown"]);
//#endregion
//#region src/core/vectors.ts
function al(e, t) {
	let n = {
		query: e.queries - 1,
		weight: 0
	};
	for (let r = t ? Math.floor(e.queries / 2) : 0; r < e.queries; r++) e.entries(r, (e, t) => {
		e !== 0 && e !== r && Math.abs(t) > n.weight && Object.assign(n, {
			query: r,
			weight: Math.abs(t)
		});
	});
	return n.query;
}
var ol = class {
	scaling;
	query;
	key;
	value;
	constructor(e, t, n) {
		if (!t.vectors) throw Error(`Layer ${t.layer} has no vectors.`);
		this.scaling = t.vectors.scaling, this.query = new sl(e, t.vectors.query, n), this.key = new sl(e, t.vectors.key, n), this.value = new sl(e, t.vectors.value, n);
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
}, sl = class {
	tokens;
	dim;
	typical;
	values;
	unit;
	origin;
	constructor(e, t, n) {
		let [, r, i] = t.values.shape;
		this.tokens = r, this.dim = i, this.values = oc(e, t.values), this.unit = t.scale[n] / 32767, this.origin = n * r * i;
		let a = 0;
		for (let e = 0; e < r * i; e++) a += (this.values[this.origin + e] * this.unit) ** 2;
		this.typical = Math.sqrt(a / (r * i)) || 1;
	}
	at(e, t) {
		return this.values[this.origin + e * this.dim + t] * this.unit;
	}
}, $ = 64, cl = 62, ll = 92, ul = 14;
function dl(e, t, n, r) {
	let i = 2 * t + cl + ll + 84 + 8, a = Math.max(1, Math.ceil(64 / n)), o = Math.max(a, Math.min(12, Math.floor((e - i) / (2 * n + r)))), s = n * o, c = 8 + t + ul, l = c + t + ul, u = l + s + ul, d = u + s + ul, f = d + cl + ul, p = f + ll + ul;
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
function fl(e, t, n, r, i, a, o) {
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
function pl(e, t, n, r) {
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
function ml(e, t, n, r) {
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
function hl(e, t, n, r, i) {
	let a = (e, t, n, r, i, a = !1, o = 14) => ({
		type: "words",
		x: e,
		y: t,
		text: Ea(n, 16),
		size: o,
		colour: r,
		anchor: i,
		bold: a
	}), o = gl(e).map(({ x: e, text: t }) => a(e, 12, t, i.quiet, "start", !1, 12));
	return o.push(a(e.key - 8, 40, "query", i.quiet, "end", !1, 12)), t.forEach((t, n) => o.push(a(e.from + e.names - 8, $ + (n + .5) * 24, t, i.ink, "end", n === r))), n.forEach((t, n) => {
		let r = $ + (n + .5) * 24;
		o.push(a(e.to + 8, r, t.text, t.masked ? i.quiet : i.ink, "start")), !t.masked && (o.push(a(e.dot + cl - 8, r, t.dot.toFixed(2), i.ink, "end", !1, 12)), o.push(a(e.softmax + ll, r, Q(t.weight), i.ink, "end", !1, 12)));
	}), o;
}
function gl(e) {
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
//#endregion
//#region src/views/NeuronView.svelte
var _l = /* @__PURE__ */ G("<button type=\"button\" role=\"radio\" class=\"name from svelte-72alqy\"><bdi> </bdi></button>"), vl = /* @__PURE__ */ G("<span role=\"cell\" class=\"number dot svelte-72alqy\"> </span> <span role=\"cell\" class=\"number softmax svelte-72alqy\"> </span>", 1), yl = /* @__PURE__ */ G("<div role=\"row\"><span role=\"rowheader\" class=\"name to svelte-72alqy\"><bdi> </bdi></span> <!></div>"), bl = /* @__PURE__ */ G("<span class=\"title svelte-72alqy\"> </span>"), xl = /* @__PURE__ */ G("<div class=\"area svelte-72alqy\" role=\"presentation\"><div role=\"radiogroup\" aria-label=\"Token that attends\"></div> <div role=\"table\"></div> <div class=\"header svelte-72alqy\"><canvas aria-hidden=\"true\"></canvas> <!> <span class=\"side svelte-72alqy\">query of <bdi> </bdi></span> <span class=\"side svelte-72alqy\">output</span></div></div>"), Sl = /* @__PURE__ */ G(" <bdi> </bdi> → <bdi> </bdi> <!>", 1), Cl = /* @__PURE__ */ G("<span class=\"hint svelte-72alqy\"><i class=\"plus svelte-72alqy\"></i> above zero <i class=\"minus svelte-72alqy\"></i> </span>"), wl = /* @__PURE__ */ G("<!> <div class=\"readout svelte-72alqy\" role=\"status\"><!></div>", 1), Tl = /* @__PURE__ */ G("<p class=\"none svelte-72alqy\"> </p>"), El = /* @__PURE__ */ G("<!> <!>", 1);
function Dl(e, t) {
	k(t, !0);
	let n = Qe("store"), r = /* @__PURE__ */ N(900), i = /* @__PURE__ */ N(null), a = /* @__PURE__ */ N(null), o = /* @__PURE__ */ N(void 0), s = /* @__PURE__ */ N(void 0), c = /* @__PURE__ */ j(() => n.heads[0]), l = /* @__PURE__ */ j(() => n.layer.heads.indexOf(U(c))), u = /* @__PURE__ */ j(() => n.layer.vectors ? new ol(n.buffer, n.layer, U(l)) : null), f = /* @__PURE__ */ j(() => vc(n.querySide, "pieces", "all")), p = /* @__PURE__ */ j(() => vc(n.keySide, "pieces", "all")), m = /* @__PURE__ */ j(() => n.selection.pinned.find(([e]) => e === "query")?.[1] ?? al(n.map(U(c)), n.attention.causal)), h = /* @__PURE__ */ j(() => U(a) ?? U(m)), g = /* @__PURE__ */ j(() => n.map(U(c)).row(U(h))), _ = /* @__PURE__ */ j(() => U(p).map(({ text: e }, t) => ({
		text: e,
		dot: U(u)?.dot(U(h), t) ?? 0,
		weight: U(g)[t],
		masked: n.attention.causal && t > U(h)
	}))), v = /* @__PURE__ */ j(() => Math.min(U(r) < 700 ? 84 : 150, Math.max(60, ...[...U(f), ...U(p)].slice(0, 400).map(({ text: e }) => Va(e.slice(0, 24)) + 18)))), y = /* @__PURE__ */ j(() => dl(U(r), U(v), U(u)?.query.dim ?? 1, U(u)?.value.dim ?? 1)), b = /* @__PURE__ */ j(() => $ + Math.max(U(f).length, U(p).length) * 24 + 8), x = /* @__PURE__ */ j(() => U(u) ? U(u).query.typical * U(u).key.typical : 1);
	function S() {
		if (!U(u)) return [];
		let e = U(u).output(U(g));
		return [
			pl(U(y).key, 30, U(y).dim * U(y).cell, n.colours),
			...fl(U(y).key, 30, U(y).cell, U(y).dim, U(u).query.typical, n.colours, (e) => U(u).query.at(U(h), e)),
			pl(U(y).value, 30, U(y).valueDim * U(y).cell, n.colours),
			...fl(U(y).value, 30, U(y).cell, U(y).valueDim, U(u).value.typical, n.colours, (t) => e[t])
		];
	}
	function C(e, t) {
		if (!U(u)) return [];
		let r = [{
			type: "box",
			x: U(y).from,
			y: $ + U(h) * 24 + 1,
			width: U(y).names,
			height: 22,
			colour: n.colourOf(U(c)),
			alpha: .25
		}];
		for (let i = e; i < t; i++) {
			if (U(_)[i].masked) continue;
			let e = $ + i * 24, t = (e) => U(u).query.at(U(h), e) * U(u).key.at(i, e);
			r.push({
				type: "box",
				x: U(y).to,
				y: e + 1,
				width: U(y).names,
				height: 22,
				colour: n.colourOf(U(c)),
				alpha: U(_)[i].weight * .75
			}, pl(U(y).key, e, U(y).dim * U(y).cell, n.colours), ...fl(U(y).key, e, U(y).cell, U(y).dim, U(u).key.typical, n.colours, (e) => U(u).key.at(i, e)), pl(U(y).product, e, U(y).dim * U(y).cell, n.colours), ...fl(U(y).product, e, U(y).cell, U(y).dim, U(x), n.colours, t), ml(U(y).softmax, e, U(_)[i].weight, n.colourOf(U(c))), pl(U(y).value, e, U(y).valueDim * U(y).cell, n.colours), ...fl(U(y).value, e, U(y).cell, U(y).valueDim, U(u).value.typical, n.colours, (e) => U(u).value.at(i, e)));
		}
		return r;
	}
	function w(e) {
		return [Math.max(0, Math.floor((e.y - $) / 24) - 2), Math.min(U(p).length, Math.ceil((e.y + e.height - $) / 24) + 2)];
	}
	function ee(e, t) {
		if (da(e, C(...w(t))), U(i) !== null) {
			e.strokeStyle = n.colours.ink, e.lineWidth = 1;
			for (let t of [
				U(y).key,
				U(y).product,
				...U(i) < U(y).valueDim ? [U(y).value] : []
			]) e.strokeRect(t + U(i) * U(y).cell - .5, $, U(y).cell + 1, U(p).length * 24);
		}
	}
	function te(e) {
		z(() => {
			let t = Math.min(window.devicePixelRatio || 1, 3);
			e.width = Math.round(U(y).width * t), e.height = Math.round($ * t);
			let n = e.getContext("2d");
			n.scale(t, t), da(n, S());
		});
	}
	function ne() {
		let e = Math.min(U(p).length, 400);
		return {
			width: U(y).width,
			height: $ + Math.max(Math.min(U(f).length, 400), e) * 24 + 8,
			marks: [
				...S(),
				...C(0, e),
				...hl(U(y), U(f).slice(0, 400).map((e) => e.text), U(_).slice(0, e), U(h), n.colours)
			]
		};
	}
	z(() => {
		n.picture = ne;
	}), z(() => {
		U(o)?.ensure($ + U(m) * 24 - $, $ + 24);
	});
	let re = /* @__PURE__ */ N(null);
	function ie(e, t) {
		let n = e.currentTarget.getBoundingClientRect(), [r, a] = [e.clientX - n.left, e.clientY - n.top], o = [
			U(y).value,
			U(y).product,
			U(y).key
		].find((e, t) => r >= e && r < e + (t === 0 ? U(y).valueDim : U(y).dim) * U(y).cell);
		P(i, o === void 0 ? null : Math.floor((r - o) / U(y).cell), !0);
		let s = Math.floor((a - $) / 24);
		P(re, a - t.y > $ && s >= 0 && s < U(p).length && !U(_)[s].masked ? s : null, !0);
	}
	function ae(e) {
		n.selection.pinned = [["query", e]];
	}
	function oe(e, t) {
		let n = {
			ArrowUp: -1,
			ArrowDown: 1
		}[e.key];
		if (n === void 0) return;
		e.preventDefault();
		let r = Math.max(0, Math.min(U(f).length - 1, t + n));
		ae(r), U(s)?.querySelector(`[data-index="${r}"]`)?.focus();
	}
	let se = (e, t = 3) => e.toFixed(t).replace(/^-(0\.?0*)$/, "$1").replace("-", "−");
	var ce = El(), le = I(ce);
	wo(le, { single: !0 });
	var ue = R(le, 2), de = (e) => {
		var t = wl(), l = I(t);
		{
			let e = (e, t = d) => {
				var o = xl(), l = F(o);
				Y(l, 21, () => U(f), ei, (e, n, r) => {
					var i = Ur(), o = I(i), s = (e) => {
						var t = _l();
						Z(t, "data-index", r);
						let i;
						var o = L(F(t), !0);
						O(t), B(() => {
							Z(t, "aria-checked", U(m) === r), Z(t, "tabindex", U(m) === r ? 0 : -1), i = X(t, "", i, {
								left: `${U(y).from ?? ""}px`,
								top: `${$ + r * 24}px`,
								width: `${U(y).names ?? ""}px`
							}), q(o, U(n).text);
						}), W("click", t, () => ae(r)), Nr("pointerenter", t, (e) => e.pointerType === "mouse" && P(a, r, !0)), Nr("pointerleave", t, () => P(a, null)), W("keydown", t, (e) => oe(e, r)), K(e, t);
					};
					J(o, (e) => {
						(r + 3) * 24 > t().y - $ && r * 24 < t().y + t().height && e(s);
					}), K(e, i);
				}), O(l), ta(l, (e) => P(s, e), () => U(s));
				var u = R(l, 2);
				Y(u, 21, () => U(_), ei, (e, n, r) => {
					var i = Ur(), a = I(i), o = (e) => {
						var t = yl();
						Z(t, "data-key", r);
						let i;
						var a = F(t);
						let o;
						var s = L(F(a), !0);
						O(a);
						var c = R(a, 2), l = (e) => {
							var t = vl(), i = I(t);
							let a;
							var o = L(i, !0), s = R(i, 2);
							let c;
							var l = L(s, !0);
							B((e, t) => {
								a = X(i, "", a, {
									left: `${U(y).dot ?? ""}px`,
									top: `${$ + r * 24}px`
								}), q(o, e), c = X(s, "", c, {
									left: `${U(y).softmax ?? ""}px`,
									top: `${$ + r * 24}px`
								}), q(l, t);
							}, [() => se(U(n).dot, 2), () => Q(U(n).weight)]), K(e, t);
						};
						J(c, (e) => {
							U(n).masked || e(l);
						}), O(t), B(() => {
							i = xi(t, 1, "svelte-72alqy", null, i, { masked: U(n).masked }), o = X(a, "", o, {
								left: `${U(y).to ?? ""}px`,
								top: `${$ + r * 24}px`,
								width: `${U(y).names ?? ""}px`
							}), q(s, U(n).text);
						}), K(e, t);
					};
					J(a, (e) => {
						(r + 3) * 24 > t().y - $ && r * 24 < t().y + t().height && e(o);
					}), K(e, i);
				}), O(u);
				var p = R(u, 2);
				let g;
				var v = F(p);
				let b;
				fi(v, () => te);
				var x = R(v, 2);
				Y(x, 17, () => gl(U(y)), ({ x: e, text: t }) => t, (e, t) => {
					let n = () => U(t).x, r = () => U(t).text;
					var i = bl();
					let a;
					var o = L(i, !0);
					B(() => {
						a = X(i, "", a, { left: `${n() ?? ""}px` }), q(o, r());
					}), K(e, i);
				});
				var S = R(x, 2);
				let C;
				var w = L(R(F(S)), !0);
				O(S);
				var ee = R(S, 2);
				let ne;
				O(p), O(o), B((e, n, r, i, a) => {
					Z(u, "aria-label", `Query against keys, head ${e ?? ""}`), g = X(p, "", g, {
						top: `${t().y ?? ""}px`,
						width: n,
						height: `${$ ?? ""}px`
					}), b = X(v, "", b, {
						width: `${U(y).width ?? ""}px`,
						height: `${$ ?? ""}px`
					}), C = X(S, "", C, { right: r }), q(w, i), ne = X(ee, "", ne, { right: a });
				}, [
					() => n.nameOf(U(c)),
					() => `${Math.max(U(r), U(y).width)}px`,
					() => `${Math.max(U(r), U(y).width) - U(y).key + 8}px`,
					() => U(f)[U(h)].text.slice(0, 12),
					() => `${Math.max(U(r), U(y).width) - U(y).value + 8}px`
				]), W("pointermove", o, (e) => ie(e, t())), Nr("pointerleave", o, () => (P(i, null), P(re, null))), K(e, o);
			}, t = /* @__PURE__ */ j(() => Math.max(U(r), U(y).width));
			ta(uo(l, {
				get width() {
					return U(t);
				},
				get height() {
					return U(b);
				},
				draw: ee,
				get room() {
					return U(r);
				},
				set room(e) {
					P(r, e, !0);
				},
				children: e,
				$$slots: { default: !0 }
			}), (e) => P(o, e, !0), () => U(o));
		}
		var g = R(l, 2), v = F(g), x = (e) => {
			var t = Sl(), n = I(t), r = R(n), a = L(r, !0), o = R(r, 2), s = L(o, !0), c = R(o), l = R(c), d = (e) => {
				var t = Hr();
				B((e) => q(t, `; value ${e ?? ""}`), [() => se(U(u).value.at(U(re), U(i)))]), K(e, t);
			};
			J(l, (e) => {
				U(i) < U(y).valueDim && e(d);
			}), B((e, t, r, o, l) => {
				q(n, `Dimension ${U(i) ?? ""}, `), q(a, e), q(s, t), q(c, `: query ${r ?? ""}
      × key ${o ?? ""} = ${l ?? ""}`);
			}, [
				() => U(f)[U(h)].text.slice(0, 24),
				() => U(p)[U(re)].text.slice(0, 24),
				() => se(U(u).query.at(U(h), U(i))),
				() => se(U(u).key.at(U(re), U(i))),
				() => se(U(u).query.at(U(h), U(i)) * U(u).key.at(U(re), U(i)))
			]), K(e, t);
		}, S = (e) => {
			var t = Cl(), n = R(F(t), 3);
			O(t), B((e) => q(n, ` below zero. q·k is scaled by ${e ?? ""}; the output is the sum of the values, each times its softmax. Point at a
        cell for its numbers.`), [() => U(u).scaling.toPrecision(3)]), K(e, t);
		};
		J(v, (e) => {
			U(i) !== null && U(re) !== null && U(i) < U(y).dim ? e(x) : e(S, -1);
		}), O(g), K(e, t);
	}, fe = (e) => {
		var t = Tl(), r = L(t);
		B((e) => q(r, `There are no query, key and value vectors of layer ${n.layer.layer ?? ""} in this view. Layers that have them:
    ${e ?? ""}.`), [() => n.attention.layers.filter((e) => e.vectors).map((e) => e.layer).join(", ") || "none; open the view from a model and a text"]), K(e, t);
	};
	J(ue, (e) => {
		U(u) ? e(de) : e(fe, -1);
	}), K(e, ce), A();
}
Pr([
	"pointermove",
	"click",
	"keydown"
]);
//#endregion
//#region src/core/glow.ts
function Ol(e, t, n, r) {
	let i = (r === "from" ? e.keys : e.queries).length, a = new Float32Array(i), o = 0, s = 1 / Math.max(1, t.length * n.length);
	for (let i of t) if (!e.hasRows(i)) kl(e, i, n, r, s, a);
	else if (r === "from") {
		let t = e.unitMap(i);
		for (let e of n) t.visit(e, (e, t) => a[e] += t * s), o += t.rest(e) * s;
	} else {
		let [t, r] = [e.links(i), e.incoming(i)];
		for (let e of n) for (let n = r.columns[e]; n < r.columns[e + 1]; n++) a[r.from[n]] += t.weight[r.at[n]] * s;
	}
	return {
		weights: a,
		rest: o
	};
}
function kl(e, t, n, r, i, a) {
	let o = e.tiles(t);
	if (o) for (let e of n) {
		let t = Math.floor(e / o.size);
		for (let e = 0; e < a.length; e++) {
			let n = Math.floor(e / o.size);
			a[e] += (r === "from" ? o.share(t, n) : o.share(n, t)) / o.size * i;
		}
	}
}
var Al = (e, t) => e.gaps[t.start] ?? "s", jl = 6, Ml = (e, t) => {
	let n = e?.text.endsWith("…") ? [...e.text].at(-2) : void 0;
	return n && t.text.startsWith(`…${n}`) ? n : null;
};
function Nl(e, t) {
	let n = e[t].text, r = Ml(e[t - 1], e[t]), i = e[t + 1];
	return i && Ml(e[t], i) && (n = n.slice(0, -1)), r ? n.slice(1 + r.length) : /^[␣ ]+$/.test(n) ? n.replaceAll(" ", "").replaceAll("␣", " ") : n.replace(/^##(?=[\p{L}\p{N}\p{M}])/u, "");
}
function Pl(e, t, n) {
	let r = e.map((r, i) => n(Fl(e, t, i))), i = (t) => t + 1 < e.length && Ml(e[t], e[t + 1]) !== null, a = (t) => [...e[t].text].length === 3 && i(t) && t > 0 && i(t - 1);
	return e.forEach((t, o) => {
		if (!i(o) || a(o)) return;
		let s = o + 1;
		for (; a(s);) s++;
		let c = n([...Nl(e, o)].at(-1) ?? ""), l = c / (s - o + 1);
		r[o] -= c;
		for (let e = o; e <= s; e++) r[e] += l;
	}), r.map((e) => e > 0 ? e : jl);
}
function Fl(e, t, n) {
	let r = (n, r) => n >= 0 && n < e.length && Al(t, e[r]) === "-" ? Nl(e, n) : "";
	return Mo(Nl(e, n), r(n - 1, n), r(n + 1, n + 1));
}
function Il(e, t, n, r) {
	let i = r(" "), a = [0], o = 14, s = Pl(e, t, r), c = e.map((e) => Al(t, e)), l = (e) => c[e] === "-";
	for (let t = 0; t < e.length; t++) {
		let r = t === a.at(-1);
		!r && c[t] === "s" && (o += i);
		let u = s[t];
		if (!l(t)) for (let r = t + 1; r < e.length && l(r) && u < n; r++) u += s[r];
		let d = o + (l(t) ? s[t] : u) > n - 14;
		!r && (c[t] === "n" || d) && (a.push(t), o = 14), o += s[t];
	}
	let u = a.length;
	a.push(e.length);
	let d = Ll(e), f = s.map((e) => ({
		x: 0,
		width: e
	}));
	for (let t = 0; t < u; t++) Rl(e.slice(a[t], a[t + 1]), f.slice(a[t], a[t + 1]), c.slice(a[t], a[t + 1]), d, n, i);
	return {
		words: f,
		lines: a,
		height: u * 30 + 28,
		way: d
	};
}
function Ll(e) {
	let [t, n] = [0, 0];
	for (let { text: r } of e) {
		let e = ko(r);
		e === "right" ? n += r.length : e === "left" && (t += r.length);
	}
	return n > t ? "right" : "left";
}
function Rl(e, t, n, r, i, a) {
	let o = No(e.map(({ text: e }) => ko(e)), r), s = (e) => e > 0 && n[e] === "s", c = t.reduce((e, t, n) => e + t.width + (s(n) ? a : 0), 0), l = r === "left" ? 14 : Math.max(14, i - 14 - c);
	o.forEach((e, n) => {
		n > 0 && s(Math.max(Math.min(...o[n - 1]), Math.min(...e))) && (l += a), e.forEach((n, r) => {
			r > 0 && s(Math.max(e[r - 1], n)) && (l += a), t[n].x = l, l += t[n].width;
		});
	});
}
function zl({ lines: e }, t) {
	let [n, r] = [0, e.length - 2];
	for (; n < r;) {
		let i = n + r + 1 >> 1;
		e[i] <= t ? n = i : r = i - 1;
	}
	return n;
}
function Bl(e, t) {
	let n = new Float32Array(t);
	e.forEach((r, i) => n[Math.min(t - 1, Math.floor(i * t / e.length))] += Math.abs(r));
	let r = n.reduce((e, t) => Math.max(e, t), 0) || 1;
	return n.map((e) => e / r);
}
function Vl(e, t) {
	let n = [], r = (t) => Math.abs(e[t]);
	for (let i = 0; i < e.length; i++) {
		if (e[i] === 0 || n.length === t && r(i) <= r(n[t - 1])) continue;
		let a = n.length;
		for (; a > 0 && r(n[a - 1]) < r(i);) a--;
		n.splice(a, 0, i), n.length > t && n.pop();
	}
	return n;
}
//#endregion
//#region src/parts/Minimap.svelte
var Hl = /* @__PURE__ */ G("<button type=\"button\" class=\"strip svelte-q2jcn5\" aria-label=\"Strip of the text: go to a place\"><canvas aria-hidden=\"true\" class=\"svelte-q2jcn5\"></canvas></button>"), Ul = /* @__PURE__ */ G("<aside class=\"svelte-q2jcn5\"><button type=\"button\" class=\"map svelte-q2jcn5\"><canvas aria-hidden=\"true\" class=\"svelte-q2jcn5\"></canvas></button> <span class=\"name svelte-q2jcn5\"> </span> <!></aside>");
function Wl(e, t) {
	k(t, !0);
	let n = Qe("store"), r = /* @__PURE__ */ j(() => n.heads.length === 1 ? n.nameOf(n.heads[0]) : `mean of ${n.heads.length} heads`), i = /* @__PURE__ */ j(() => {
		let { signed: e } = n.attention, t = n.heads.flatMap((e) => n.tiles(e) ?? []), { bytes: r, width: i, height: a } = t.length > 0 ? Cs(gs(t), 128) : kc(n.heads.map((e) => n.links(e)), n.keys.length, 128, e);
		return Jo(r, i, a, n.dark, { signed: e });
	});
	function a(e) {
		z(() => {
			e.width = e.height = 128;
			let r = e.getContext("2d");
			r.imageSmoothingEnabled = !1, r.drawImage(U(i), 0, 0, 128, 128), r.fillStyle = n.colours.negative;
			for (let e of t.active) {
				let i = (e + .5) / t.count * 128;
				n.selection.direction === "from" ? r.fillRect(0, i - .75, 128, 1.5) : r.fillRect(i - .75, 0, 1.5, 128);
			}
		});
	}
	function o(e) {
		z(() => {
			e.width = 16, e.height = 240;
			let r = e.getContext("2d");
			r.fillStyle = n.colours.raised, r.fillRect(0, 0, 16, 240), r.fillStyle = n.colours.glow, t.density?.forEach((e, t) => {
				r.globalAlpha = e > 0 ? .1 + .9 * Math.sqrt(e) : 0, r.fillRect(0, t, 16, 1);
			}), r.globalAlpha = 1, r.fillStyle = n.colours.ink, r.fillRect(0, Math.max(0, Math.min(238, t.position * 240)), 16, 2);
		});
	}
	function s(e) {
		let n = e.currentTarget.getBoundingClientRect();
		t.goTo(Math.floor((e.clientY - n.top) / n.height * t.count));
	}
	var c = Ul(), l = F(c);
	fi(F(l), () => a), O(l);
	var u = R(l, 2), d = L(u, !0), f = R(u, 2), p = (e) => {
		var t = Hl();
		fi(F(t), () => o), O(t), W("click", t, s), K(e, t);
	};
	J(f, (e) => {
		t.scrolls && e(p);
	}), O(c), B(() => {
		Z(c, "aria-label", n.panes.length > 1 ? `Where in the text, ${n.pane.name}` : "Where in the text"), Z(l, "aria-label", `Map of ${U(r) ?? ""}: go to a place`), q(d, U(r));
	}), W("click", l, s), K(e, c), A();
}
Pr(["click"]);
//#endregion
//#region src/views/TextView.svelte
var Gl = /* @__PURE__ */ G("<button type=\"button\"><bdi> </bdi></button>"), Kl = /* @__PURE__ */ G("<div class=\"lines svelte-hthq4q\" role=\"group\" aria-label=\"The text\"></div>"), ql = /* @__PURE__ */ G("<strong> </strong> ", 1), Jl = /* @__PURE__ */ G("<span class=\"hint svelte-hthq4q\"> </span>"), Yl = /* @__PURE__ */ G("<!> <!> <div class=\"text svelte-hthq4q\"><div><!></div> <!></div> <div class=\"readout svelte-hthq4q\" role=\"status\"><!></div>", 1);
function Xl(e, t) {
	k(t, !0);
	let n = Qe("store"), r = /* @__PURE__ */ N(700), i = /* @__PURE__ */ N(void 0), a, o = /* @__PURE__ */ N(0), s = /* @__PURE__ */ N(0), c = /* @__PURE__ */ N(0), l = /* @__PURE__ */ new Map();
	function u(e) {
		let t = l.get(e);
		return t === void 0 && l.set(e, t = Va(e) * (16 / 14)), t;
	}
	let f = /* @__PURE__ */ j(() => n.selection.direction), p = /* @__PURE__ */ j(() => U(f) === "from" ? "query" : "key"), h = /* @__PURE__ */ j(() => U(f) === "from" ? n.keySide : n.querySide), g = /* @__PURE__ */ j(() => U(f) === "from" ? n.keys : n.queries), _ = /* @__PURE__ */ j(() => n.attention.queries === n.attention.keys && n.queries.length === n.keys.length), v = /* @__PURE__ */ j(() => Il(U(g), U(h), Math.max(240, Math.min(U(r), 860)), u)), y = /* @__PURE__ */ j(() => n.active.filter(([e]) => e === U(p)).map(([, e]) => e)), b = /* @__PURE__ */ j(() => U(y).length > 0 ? Ol(n, n.heads, U(y), U(f)) : null), x = /* @__PURE__ */ j(() => U(b) && U(b).weights.reduce((e, t) => Math.max(e, Math.abs(t)), 0) || 1), S = /* @__PURE__ */ j(() => U(b) ? Bl(U(b).weights, 240) : null), C = (e, t) => ({
		x: U(v).words[e].x - 1,
		y: 14 + t * 30 + 3,
		width: U(v).words[e].width + 2,
		height: 24
	});
	function w(e, t) {
		let r = [];
		for (let i = e; i < t; i++) for (let e = U(v).lines[i]; e < U(v).lines[i + 1]; e++) {
			if (U(b)) {
				let t = U(b).weights[e], a = Ia(t, U(x));
				a > .01 && r.push({
					type: "box",
					...C(e, i),
					colour: t < 0 ? n.colours.negative : n.colours.glow,
					alpha: .06 + .84 * a ** .7
				});
			}
			let t = U(_) && !U(b) ? n.probability(e) : null;
			if (t !== null && r.push({
				type: "box",
				x: U(v).words[e].x,
				y: C(e, i).y + 30 - 7,
				width: U(v).words[e].width,
				height: 2.5,
				colour: n.colours.negative,
				alpha: Math.min(1, -Math.log2(Math.max(t, 1e-6)) / 12)
			}), U(_) && U(y).includes(e)) {
				let { x: t, y: a, width: o, height: s } = C(e, i);
				r.push({
					type: "line",
					from: [t, a + s],
					to: [t + o, a + s],
					colour: n.colours.ink,
					alpha: 1,
					width: 2.5
				});
			}
		}
		return r;
	}
	let ee = ({ y: e, height: t }, n) => [Math.max(0, Math.floor((e - 14 - n) / 30)), Math.min(U(v).lines.length - 1, Math.ceil((e + t - 14 + n) / 30))], te = co(n);
	function ne(e, t) {
		((e) => {
			var t = m(e, 2);
			P(s, t[0], !0), P(c, t[1], !0);
		})([t.y, t.height]), da(e, w(...ee(t, 0))), te.line && so(e, te.line, a.getBoundingClientRect(), t, n.colours.accent);
	}
	function re(e) {
		let [t, n] = ee(e, 120);
		return Array.from({ length: Math.max(0, n - t) }, (e, n) => t + n);
	}
	let ie = (e) => {
		if (!U(_)) return null;
		let t = e?.closest("[data-word]");
		return t ? Number(t.dataset.word) : null;
	};
	function ae(e) {
		if (e.pointerType !== "mouse" || te.line) return;
		let t = ie(e.target);
		n.hover = t === null ? null : [U(p), t];
	}
	function oe(e) {
		let t = ie(e.target);
		t !== null && te.isClick() && (P(o, t, !0), n.togglePin(U(p), t));
	}
	async function se(e) {
		let t = {
			ArrowLeft: -1,
			ArrowRight: 1,
			ArrowUp: -1,
			ArrowDown: 1
		}[e.key];
		if (t === void 0 || ie(e.target) === null) return;
		e.preventDefault();
		let n = zl(U(v), U(o)), r = e.key === "ArrowUp" || e.key === "ArrowDown";
		P(o, r ? ce(n + t, U(v).words[U(o)].x) : Math.max(0, Math.min(U(g).length - 1, U(o) + t)), !0), U(i)?.ensure(14 + zl(U(v), U(o)) * 30, 30), await _r(), a.querySelector(`[data-word="${U(o)}"]`)?.focus();
	}
	function ce(e, t) {
		let n = Math.max(0, Math.min(U(v).lines.length - 2, e)), r = U(v).lines[n];
		for (let e = r; e < U(v).lines[n + 1]; e++) Math.abs(U(v).words[e].x - t) < Math.abs(U(v).words[r].x - t) && (r = e);
		return r;
	}
	function le(e) {
		let t = ie(e.target);
		t !== null && e.target.matches(":focus-visible") && (n.hover = [U(p), t]);
	}
	function ue(e) {
		U(i)?.reveal(0, 14 + zl(U(v), Math.max(0, Math.min(U(g).length - 1, e))) * 30);
	}
	z(() => {
		let e = n.found?.unit;
		e !== void 0 && e < U(g).length && ue(e);
	});
	function de() {
		if (U(g).length > 3e3) return null;
		let e = U(v).lines.length - 1, t = [];
		for (let r = 0; r < e; r++) for (let e = U(v).lines[r]; e < U(v).lines[r + 1]; e++) t.push({
			type: "words",
			x: U(v).words[e].x,
			y: 14 + (r + .5) * 30,
			text: Fl(U(g), U(h), e),
			size: 16,
			colour: n.colours.ink,
			anchor: "start"
		});
		let i = {
			type: "words",
			x: 14,
			y: U(v).height + 4,
			text: U(b) ? `${U(me)} Full colour: ${Q(U(x))}.` : n.scene.title,
			size: 12,
			colour: n.colours.quiet,
			anchor: "start"
		};
		return {
			width: Math.min(U(r), 860),
			height: U(v).height + 20,
			marks: [
				...w(0, e),
				...t,
				i
			]
		};
	}
	z(() => {
		n.picture = de;
	});
	function fe(e) {
		let t = U(_) ? n.probability(e) : null;
		return t === null ? void 0 : `probability ${Q(t)}`;
	}
	let pe = /* @__PURE__ */ j(() => n.heads.length === 1 ? `head ${n.nameOf(n.heads[0])}` : n.heads.length === n.layer.heads.length ? `the mean of layer ${n.layer.layer}` : `the mean of heads ${n.heads.join(", ")} of layer ${n.layer.layer}`), me = /* @__PURE__ */ j(() => {
		if (!U(b)) return "";
		let e = n.unitsAt(U(p));
		return `${U(y).slice(-3).map((t) => jo(e[t].text)).join(", ")} ${U(f) === "from" ? U(y).length > 1 ? "attend to" : "attends to" : "is attended to by"}, in ${U(pe)}:`;
	}), he = /* @__PURE__ */ j(() => U(y).length > 0 ? U(y).reduce((e, t) => e + n.firstShare(t) / U(y).length, 0) : 0), ge = /* @__PURE__ */ j(() => {
		if (!U(b)) return "";
		let e = Vl(U(b).weights, 5).filter((e) => Math.abs(U(b).weights[e]) >= 5e-4).map((e) => `${jo(U(g)[e].text, 16)} (${U(g)[e].start}) ${Q(U(b).weights[e])}`);
		return U(b).rest >= .005 && e.push(`rest ${Q(U(b).rest)}`), n.withoutFirst && U(f) === "from" && e.push(`left out: ${Q(U(he))} on the first token`), e.join(" · ");
	});
	var T = Yl(), _e = I(T);
	wo(_e, {});
	var ve = R(_e, 2), ye = (e) => {
		Xc(e, {});
	};
	J(ve, (e) => {
		U(_) || e(ye);
	});
	var be = R(ve, 2), xe = F(be), Se = () => n.hover = null, Ce = () => n.hover = null;
	Wi(xe, () => ({
		class: "page",
		...te.handlers,
		onpointerover: ae,
		onclick: oe,
		onkeydown: se,
		onfocusin: le,
		onpointerleave: Se,
		onfocusout: Ce
	}), void 0, void 0, void 0, "svelte-hthq4q");
	var E = F(xe);
	{
		let e = (e, t = d) => {
			var r = Kl();
			Y(r, 20, () => re(t()), (e) => e, (e, t) => {
				var r = Ur();
				Y(I(r), 19, () => ({ length: U(v).lines[t + 1] - U(v).lines[t] }), (e, n) => U(v).lines[t] + n, (e, r, i) => {
					let a = /* @__PURE__ */ j(() => U(v).lines[t] + U(i));
					var s = Gl();
					let c, l;
					var u = L(F(s), !0);
					O(s), B((e, n, r, i, d) => {
						Z(s, "data-word", U(a)), Z(s, "data-end", U(p)), Z(s, "data-index", U(a)), Z(s, "title", e), Z(s, "aria-label", n), Z(s, "aria-pressed", r), s.disabled = !U(_), Z(s, "tabindex", U(o) === U(a) ? 0 : -1), c = xi(s, 1, "svelte-hthq4q", null, c, {
							target: te.over?.[1] === U(a),
							generated: i
						}), l = X(s, "", l, {
							left: `${U(v).words[U(a)].x ?? ""}px`,
							top: `${14 + t * 30}px`,
							width: `${U(v).words[U(a)].width ?? ""}px`
						}), q(u, d);
					}, [
						() => fe(U(a)),
						() => Nl(U(g), U(a)).trim() ? void 0 : U(g)[U(a)].text,
						() => U(_) && n.isPinned(U(p), U(a)),
						() => n.isGenerated(U(f) === "from" ? "key" : "query", U(a)),
						() => Fl(U(g), U(h), U(a))
					]), K(e, s);
				}), K(e, r);
			}), O(r), K(e, r);
		}, t = /* @__PURE__ */ j(() => Math.min(U(r), 860));
		ta(uo(E, {
			get width() {
				return U(t);
			},
			get height() {
				return U(v).height;
			},
			draw: ne,
			get room() {
				return U(r);
			},
			set room(e) {
				P(r, e, !0);
			},
			children: e,
			$$slots: { default: !0 }
		}), (e) => P(i, e, !0), () => U(i));
	}
	O(xe), ta(xe, (e) => a = e, () => a);
	var we = R(xe, 2);
	{
		let e = /* @__PURE__ */ j(() => U(v).height > U(c)), t = /* @__PURE__ */ j(() => U(s) / Math.max(1, U(v).height));
		Wl(we, {
			get density() {
				return U(S);
			},
			get active() {
				return U(y);
			},
			get scrolls() {
				return U(e);
			},
			get position() {
				return U(t);
			},
			goTo: ue,
			get count() {
				return U(g).length;
			}
		});
	}
	O(be);
	var D = R(be, 2), Te = F(D), Ee = (e) => {
		var t = ql(), n = I(t), r = L(n, !0), i = R(n);
		B(() => {
			q(r, U(me)), q(i, ` ${U(ge) ?? ""}`);
		}), K(e, t);
	}, De = (e) => {
		var t = Jl(), r = L(t);
		B(() => q(r, `Point at a word${U(_) ? "" : " of the line above"}: the text glows with what it ${U(f) === "from" ? "attends to" : "is attended to by"}, in ${U(pe) ?? ""}. Click to keep it${U(_) ? "; drag from one word to another to ask which heads link them" : ""}.${U(_) && n.hasProbabilities ? " A red line under a word: the stronger, the less likely the model found it." : ""}`)), K(e, t);
	};
	J(Te, (e) => {
		U(b) ? e(Ee) : e(De, -1);
	}), O(D), K(e, T), A();
}
//#endregion
//#region src/parts/Pane.svelte
var Zl = /* @__PURE__ */ G("<section class=\"pane svelte-1k4fohy\"><h2 class=\"svelte-1k4fohy\"><bdi> </bdi></h2> <!></section>");
function Ql(e, t) {
	k(t, !0);
	let n = ia(t, "name", 3, "");
	$e("store", t.store);
	let r = {
		head: Ho,
		model: il,
		text: Xl,
		neuron: Dl,
		matrix: Vs,
		image: ns
	}, i = /* @__PURE__ */ j(() => r[t.store.selection.kind]);
	var a = Ur(), o = I(a), s = (e) => {
		var t = Zl(), r = F(t), a = L(F(r), !0);
		O(r), di(R(r, 2), () => U(i), (e, t) => {
			t(e, {});
		}), O(t), B(() => {
			Z(t, "aria-label", n()), q(a, n());
		}), K(e, t);
	}, c = (e) => {
		var t = Ur();
		di(I(t), () => U(i), (e, t) => {
			t(e, {});
		}), K(e, t);
	};
	J(o, (e) => {
		n() ? e(s) : e(c, -1);
	}), K(e, a), A();
}
//#endregion
//#region src/core/download.ts
function $l(e, t) {
	return new Blob([va(e, t)], { type: "image/svg+xml" });
}
async function eu(e, t, n) {
	let r = document.createElement("canvas");
	r.width = Math.ceil(e.width * n), r.height = Math.ceil(e.height * n);
	let i = r.getContext("2d");
	i.fillStyle = t, i.fillRect(0, 0, r.width, r.height), i.scale(n, n), da(i, e.marks);
	let a = await new Promise((e) => r.toBlob(e, "image/png"));
	if (!a) throw Error("The picture is too large for this scale; choose a smaller one.");
	return a;
}
function tu(e, t) {
	let n = document.createElement("a");
	n.href = URL.createObjectURL(e), n.download = t, n.click(), setTimeout(() => URL.revokeObjectURL(n.href), 1e4);
}
//#endregion
//#region src/core/link.svelte.ts
function nu(e, t) {
	return lu(e, t).map((t) => `${t}=${encodeURIComponent(JSON.stringify(e[t]))}`).join("&");
}
function ru(e, t) {
	let n = structuredClone(t.selection);
	for (let r of e.replace(/^#/, "").split("&")) {
		let [e, i] = r.split("=", 2);
		if (e in n && i !== void 0) try {
			let r = JSON.parse(decodeURIComponent(i));
			au(e, r, t) && Object.assign(n, { [e]: r });
		} catch {}
	}
	let r = t.attentions.find((e) => e.attention === n.attention).layers, i = r.find((e) => e.layer === n.layer) ?? r[0];
	return n.layer = i.layer, n.heads = n.heads.filter((e) => i.heads.includes(e)), n.heads.length === 0 && (n.heads = [...i.heads]), n;
}
var iu = {
	kind: [
		"head",
		"model",
		"text",
		"matrix",
		"neuron",
		"image"
	],
	level: ["pieces", "words"],
	layout: ["columns", "rows"],
	sentences: [
		"all",
		"a-a",
		"b-b",
		"a-b",
		"b-a"
	],
	weighting: ["weights", "value norms"],
	direction: ["from", "to"],
	reverse: [!0, !1],
	without_first: [!0, !1]
};
function au(e, t, n) {
	let r = (e) => Number.isInteger(e) && e >= 0, i = (e) => r(e) && Object.values(n.sides).some(({ tokens: t }) => e < t.length);
	if (e === "kind" && t === "image" && !n.images || e === "kind" && t === "neuron" && !n.attentions.some(({ layers: e }) => e.some((e) => e.vectors))) return !1;
	if (iu[e]) return iu[e].includes(t);
	switch (e) {
		case "attention": return n.attentions.some((e) => e.attention === t);
		case "layer": return r(t);
		case "heads": return Array.isArray(t) && t.every(r);
		case "pinned": return Array.isArray(t) && t.every((e) => Array.isArray(e) && (e[0] === "query" || e[0] === "key") && i(e[1]));
		case "asked": return t === null || Array.isArray(t) && t.length === 2 && t.every(i);
		case "threshold": return t === null || typeof t == "number" && t >= 0;
		case "square": return t === null || r(t) && t >= 8 && t <= 400;
		case "order": return [
			"layer",
			"asked",
			...n.statistics.map((e) => e.name)
		].includes(t);
		case "behaviour":
		case "pattern":
		case "shape": return t === "" || n.names.some((n) => n.kind === e && n.name === t);
		case "colour": return t === "head" || n.names.some((e) => e.kind === t);
	}
	return !1;
}
function ou(e) {
	let t = ({ kind: e, attention: t, layer: n, order: r, asked: i }) => JSON.stringify([
		e,
		t,
		n,
		r,
		i
	]), n = t(Ke(e.selection));
	return On(() => {
		z(() => {
			let r = Ke(e.selection), i = nu(r, e.scene.selection), a = t(r) !== n;
			if (n = t(r), location.hash.replace(/^#/, "") === i) return;
			let o = i ? `#${i}` : location.pathname + location.search;
			try {
				a ? history.pushState(null, "", o) : history.replaceState(null, "", o);
			} catch {}
		});
	});
}
function su(e) {
	let { call: t, selection: n } = e.scene;
	if (!t) return null;
	let r = {
		...n,
		kind: "head",
		layout: "columns",
		level: "pieces",
		sentences: "all",
		order: "layer",
		reverse: !1,
		colour: "head",
		behaviour: "",
		pattern: "",
		shape: "",
		threshold: null,
		weighting: "weights",
		direction: "from",
		without_first: n.without_first,
		square: null,
		asked: null,
		pinned: []
	}, i = Ke(e.selection), a = i.kind === "model" ? ["kind"] : ["kind", "layer"], o = e.heads.length === e.layer.heads.length, s = /* @__PURE__ */ new Set([...a, ...lu(i, r)]);
	return (e.scene.attentions.length === 1 || i.attention === e.scene.attentions[0].attention) && s.delete("attention"), s.delete("heads"), i.kind === "model" && s.delete("layer"), !o && i.kind !== "model" && s.add("heads"), `${[t, ...[
		"kind",
		"attention",
		"layer",
		"heads",
		"level",
		"layout",
		"sentences",
		"threshold",
		"order",
		"reverse",
		"colour",
		"behaviour",
		"pattern",
		"shape",
		"asked",
		"weighting",
		"without_first",
		"square",
		"direction",
		"pinned"
	].filter((e) => s.has(e)).map((e) => `${e}=${cu(i[e])}`)].join(", ")})`;
}
function cu(e) {
	return e === null ? "None" : typeof e == "boolean" ? e ? "True" : "False" : Array.isArray(e) ? `[${e.map((e) => Array.isArray(e) ? `(${e.map(cu).join(", ")})` : cu(e)).join(", ")}]` : JSON.stringify(e);
}
function lu(e, t) {
	return Object.keys(t).filter((n) => JSON.stringify(e[n]) !== JSON.stringify(t[n]));
}
//#endregion
//#region src/parts/Export.svelte
var uu = /* @__PURE__ */ G("<option> </option>"), du = /* @__PURE__ */ G("<button type=\"button\" class=\"plain\">Copy as Python</button>"), fu = /* @__PURE__ */ G("<button type=\"button\" class=\"plain\">Copy link</button>"), pu = /* @__PURE__ */ G("<span class=\"said svelte-j2sk0e\" role=\"status\"> </span>"), mu = /* @__PURE__ */ G("<div class=\"export svelte-j2sk0e\" role=\"group\" aria-label=\"Take it elsewhere\"><button type=\"button\" class=\"plain\">Save SVG</button> <button type=\"button\" class=\"plain\">Save PNG</button> <label><span class=\"hidden\">PNG scale</span> <select></select></label> <!> <!> <!></div>");
function hu(e, t) {
	k(t, !0);
	let n = Qe("store"), r = /* @__PURE__ */ N(2), i = /* @__PURE__ */ N("");
	function a(e) {
		let { kind: t } = n.selection, r = t === "matrix" || t === "neuron" ? String(n.heads[0]) : n.heads.length === n.layer.heads.length ? "all" : n.heads.join("+"), i = t === "model" ? "" : `-${n.layer.layer}.${r}`;
		return `${n.scene.title.replace(/[^\p{L}\p{N}._-]+/gu, "-").slice(0, 60)}-${t}${i}.${e}`;
	}
	async function o(e) {
		P(i, "");
		let t = n.picture?.();
		if (!t) P(i, "There is no picture to save here.");
		else try {
			tu(e === "svg" ? $l(t, n.colours.page) : await eu(t, n.colours.page, U(r)), a(e));
		} catch (e) {
			P(i, e instanceof Error ? e.message : String(e), !0);
		}
	}
	async function s(e, t) {
		try {
			await navigator.clipboard.writeText(e), P(i, `${t} copied.`);
		} catch {
			P(i, e, !0);
		}
		setTimeout(() => P(i, U(i) === `${t} copied.` ? "" : U(i), !0), 4e3);
	}
	var c = mu(), l = F(c), u = R(l, 2), d = R(u, 2), f = R(F(d), 2);
	Y(f, 20, () => [
		1,
		2,
		3,
		4
	], (e) => e, (e, t) => {
		var n = uu(), r = L(n), i = {};
		B(() => {
			q(r, `${t ?? ""}×`), i !== (i = t) && (n.value = (n.__value = i) ?? "");
		}), K(e, n);
	}), O(f), Di(f), O(d);
	var p = R(d, 2), m = (e) => {
		var t = du();
		W("click", t, () => s(su(n) ?? "", "The call")), K(e, t);
	};
	J(p, (e) => {
		n.scene.call && e(m);
	});
	var h = R(p, 2), g = (e) => {
		var t = fu();
		W("click", t, () => s(location.href, "The link")), K(e, t);
	};
	J(h, (e) => {
		t.fill && window.parent === window && e(g);
	});
	var _ = R(h, 2), v = (e) => {
		var t = pu(), n = L(t, !0);
		B(() => q(n, U(i))), K(e, t);
	};
	J(_, (e) => {
		U(i) && e(v);
	}), O(c), W("click", l, () => o("svg")), W("click", u, () => o("png")), Oi(f, () => U(r), (e) => P(r, e)), K(e, c), A();
}
Pr(["click"]);
//#endregion
//#region src/parts/Find.svelte
var gu = /* @__PURE__ */ G("<span class=\"count svelte-1h50zdz\" role=\"status\"> </span>"), _u = /* @__PURE__ */ G("<label class=\"find svelte-1h50zdz\"><span class=\"hidden\">Find a token</span> <input type=\"search\" placeholder=\"Find a token\" class=\"svelte-1h50zdz\"/> <!></label>");
function vu(e, t) {
	k(t, !0);
	let n = Qe("store"), r = /* @__PURE__ */ N(""), i = /* @__PURE__ */ N(-1), a = /* @__PURE__ */ j(() => n.matches(U(r)));
	function o(e) {
		U(a).length !== 0 && (P(i, (U(i) + e + U(a).length) % U(a).length), n.found = { unit: U(a)[U(i)] }, n.hover = ["query", U(a)[U(i)]]);
	}
	function s(e) {
		if (e.key === "Enter") o(e.shiftKey ? -1 : 1);
		else if (e.key === "Escape") P(r, ""), n.hover = null;
		else return;
		e.preventDefault(), e.stopPropagation();
	}
	var c = _u(), l = R(F(c), 2);
	Bi(l);
	var u = R(l, 2), d = (e) => {
		var t = gu(), n = L(t, !0);
		B(() => q(n, U(a).length === 0 ? "none" : U(i) < 0 ? U(a).length : `${U(i) + 1} of ${U(a).length}`)), K(e, t);
	}, f = /* @__PURE__ */ j(() => U(r).trim());
	J(u, (e) => {
		U(f) && e(d);
	}), O(c), W("input", l, () => P(i, -1)), W("keydown", l, s), Ji(l, () => U(r), (e) => P(r, e)), K(e, c), A();
}
Pr(["input", "keydown"]);
//#endregion
//#region src/parts/Threshold.svelte
var yu = /* @__PURE__ */ G("<button type=\"button\" class=\"plain\">Automatic</button>"), bu = /* @__PURE__ */ G("<span class=\"mass svelte-1vctot1\"> </span>"), xu = /* @__PURE__ */ G("<span class=\"mass svelte-1vctot1\">each head on its own scale</span>"), Su = /* @__PURE__ */ G("<span class=\"mass svelte-1vctot1\"><!></span>"), Cu = /* @__PURE__ */ G("<i class=\"svelte-1vctot1\"></i>"), wu = /* @__PURE__ */ G("<span class=\"scale svelte-1vctot1\" role=\"img\">0 <!> </span>"), Tu = /* @__PURE__ */ G("<label class=\"svelte-1vctot1\"> <input type=\"range\" min=\"0\" step=\"1\" class=\"svelte-1vctot1\"/></label> <!> <!> <!>", 1);
function Eu(e, t) {
	k(t, !0);
	let n = Qe("store"), r = /* @__PURE__ */ j(() => n.heads.filter((e) => n.hasRows(e))), i = /* @__PURE__ */ j(() => n.selection.kind === "model" ? s() : n.drawn(U(r))), a = /* @__PURE__ */ j(() => n.selection.kind === "head" && n.active.length > 0 ? n.activeCeiling(U(r)) : U(i).ceiling), o = /* @__PURE__ */ j(() => n.attention.shares ? 1 : U(i).ceiling);
	function s() {
		let e = Mc(n), t = n.attention.layers.flatMap(({ layer: e, heads: t }) => t.filter((t) => n.hasRows(t, e)).map((t) => ({
			layer: e,
			head: t
		}))), r = n.attention.shares ? 1 : n.commonCeiling();
		return !n.attention.shares || t.length * n.queries.length > 4e4 ? {
			least: e,
			cut: !1,
			ceiling: r,
			mass: null
		} : {
			least: e,
			cut: !1,
			ceiling: r,
			mass: Fa(t.map(({ layer: e, head: t }) => ({
				links: n.links(t, e),
				best: null
			})), e, t.length * n.queries.length)
		};
	}
	let c = /* @__PURE__ */ j(() => {
		let e = Da.findIndex((e) => e * U(o) >= U(i).least * .999);
		return e < 0 ? Da.length - 1 : e;
	}), l = /* @__PURE__ */ j(() => U(i).mass === null ? "" : U(i).mass > .995 ? "all" : `${Math.round(U(i).mass * 100)}%`), u = [
		.1,
		.25,
		.5,
		.75,
		1
	];
	var d = Tu(), f = I(d), p = F(f), m = R(p);
	Bi(m), O(f);
	var h = R(f, 2), g = (e) => {
		var t = yu();
		W("click", t, () => n.selection.threshold = null), K(e, t);
	};
	J(h, (e) => {
		n.selection.threshold !== null && e(g);
	});
	var _ = R(h, 2), v = (e) => {
		var t = bu(), r = L(t);
		B(() => {
			Z(t, "title", n.selection.threshold === null && n.selection.kind === "head" ? "Links of this weight and more, and each token's strongest link." : "Links of this weight and more."), q(r, `${U(l) ?? ""} of attention drawn${U(i).cut ? ", the most that can be" : ""}`);
		}), K(e, t);
	};
	J(_, (e) => {
		U(l) && e(v);
	});
	var y = R(_, 2), b = (e) => {
		K(e, xu());
	}, x = /* @__PURE__ */ j(() => n.selection.kind === "model" && Nc(n)), S = (e) => {
		var t = Su();
		Zo(F(t), {
			low: "0",
			high: "1",
			get dark() {
				return n.dark;
			}
		}), O(t), K(e, t);
	}, C = /* @__PURE__ */ j(() => n.selection.kind === "model" && !jc(n)), w = (e) => {
		var t = wu(), n = R(F(t));
		Y(n, 16, () => u, (e) => e, (e, t) => {
			var n = Cu();
			let r;
			B((e) => r = X(n, "", r, {
				opacity: e,
				height: `${.6 + 2.4 * t}px`
			}), [() => Ra(t)]), K(e, n);
		});
		var r = R(n);
		O(t), B((e, n) => {
			Z(t, "aria-label", `A link of ${e ?? ""} or more is drawn strongest`), q(r, ` ${U(a) < .995 && U(a) === U(i).ceiling ? "≥ " : ""}${n ?? ""}`);
		}, [() => Q(U(a)), () => Q(U(a))]), K(e, t);
	};
	J(y, (e) => {
		U(x) ? e(b) : U(C) ? e(S, 1) : e(w, -1);
	}), B((e, t) => {
		q(p, `Hide below ${e ?? ""} `), Z(m, "max", Da.length - 1), Vi(m, U(c)), Z(m, "aria-valuetext", t);
	}, [() => Q(U(i).least), () => Q(Da[U(c)] * U(o))]), W("input", m, (e) => n.selection.threshold = Da[Number(e.currentTarget.value)] * U(o)), K(e, d), A();
}
Pr(["input", "click"]);
//#endregion
//#region src/parts/Toolbar.svelte
var Du = /* @__PURE__ */ G("<button type=\"button\" role=\"tab\" class=\"svelte-cy88mx\"> </button>"), Ou = /* @__PURE__ */ G("<option> </option>"), ku = /* @__PURE__ */ G("<label class=\"svelte-cy88mx\">Attention <select></select></label>"), Au = /* @__PURE__ */ G("<div class=\"layer svelte-cy88mx\"><label class=\"svelte-cy88mx\">Layer <select></select></label> <button type=\"button\" class=\"plain\" aria-label=\"Layer before\">‹</button> <button type=\"button\" class=\"plain\" aria-label=\"Layer after\">›</button></div>"), ju = /* @__PURE__ */ G("<option>by what was asked</option>"), Mu = /* @__PURE__ */ G("<label class=\"svelte-cy88mx\"> <select class=\"name svelte-cy88mx\"><option>any</option><!></select></label>"), Nu = /* @__PURE__ */ G("<label class=\"svelte-cy88mx\">Colour <select><option>by head</option><!></select></label> <!>", 1), Pu = /* @__PURE__ */ G("<div class=\"layer svelte-cy88mx\"><label class=\"svelte-cy88mx\">Order <select><option>by layer</option><!><!></select></label> <button type=\"button\" class=\"plain\" aria-label=\"Reverse the order\" title=\"Reverse the order\"> </button></div> <!>", 1), Fu = /* @__PURE__ */ G("<label class=\"svelte-cy88mx\">Sentences <select><option>all</option><option>A → A</option><option>B → B</option><option>A → B</option><option>B → A</option></select></label>"), Iu = /* @__PURE__ */ G("<label class=\"svelte-cy88mx\"><input type=\"checkbox\" class=\"svelte-cy88mx\"/> Whole words</label>"), Lu = /* @__PURE__ */ G("<label title=\"Each weight times the norm of the value it brings; rows are made to sum to 1 again\" class=\"svelte-cy88mx\"><input type=\"checkbox\" class=\"svelte-cy88mx\"/> × value norms</label>"), Ru = /* @__PURE__ */ G("<label title=\"Leaves out what is on the first token, and makes rows sum to 1 again; the numbers beside tokens and heads say how much that was\" class=\"svelte-cy88mx\"><input type=\"checkbox\" class=\"svelte-cy88mx\"/> Without first token</label>"), zu = /* @__PURE__ */ G("<label class=\"svelte-cy88mx\"><input type=\"checkbox\" class=\"svelte-cy88mx\"/> Horizontal</label>"), Bu = /* @__PURE__ */ G("<label class=\"svelte-cy88mx\">Size <input class=\"size svelte-cy88mx\" type=\"range\" min=\"12\" max=\"160\" step=\"2\"/></label>"), Vu = /* @__PURE__ */ G("<label class=\"svelte-cy88mx\">Show <select><option>what a word attends to</option><option>what attends to a word</option></select></label>"), Hu = /* @__PURE__ */ G("<button type=\"button\" class=\"plain\"> </button>"), Uu = /* @__PURE__ */ G("<button type=\"button\" class=\"plain strong svelte-cy88mx\"> </button>"), Wu = /* @__PURE__ */ G("<div class=\"bar svelte-cy88mx\"><div class=\"tabs svelte-cy88mx\" role=\"tablist\" aria-label=\"View\"></div> <h1 class=\"svelte-cy88mx\"><bdi> </bdi></h1> <!></div> <div class=\"bar choices svelte-cy88mx\"><!> <!> <!> <!> <!> <!> <!> <!> <!> <!> <!> <!> <!></div>", 1);
function Gu(e, t) {
	k(t, !0);
	let n = Qe("store"), { scene: r } = n, i = r.attentions.some((e) => e.layers.some((e) => e.vectors)) && !r.panes, a = [
		...r.images ? [{
			kind: "image",
			text: "Image"
		}] : [],
		{
			kind: "head",
			text: "Heads"
		},
		{
			kind: "model",
			text: "Model"
		},
		...r.images && r.sides.decoder === void 0 ? [] : [{
			kind: "text",
			text: "Text"
		}],
		{
			kind: "matrix",
			text: "Matrix"
		},
		...i ? [{
			kind: "neuron",
			text: "Neurons"
		}] : []
	], o = {
		encoder: "Encoder",
		decoder: "Decoder",
		cross: "Cross",
		vision: "Vision",
		"encoder rollout": "Encoder, rollout",
		"decoder rollout": "Decoder, rollout"
	}, s = /* @__PURE__ */ j(() => n.attention.layers.map((e) => e.layer)), c = /* @__PURE__ */ j(() => U(s).indexOf(n.layer.layer)), l = /* @__PURE__ */ j(() => n.selection.kind), u;
	function d(e, t) {
		let r = {
			ArrowLeft: -1,
			ArrowRight: 1
		}[e.key], i = r === void 0 ? void 0 : a[t + r];
		i && (e.preventDefault(), n.selection.kind = i.kind, u.querySelectorAll("button")[t + r].focus());
	}
	function f(e) {
		n.selection.order = e, n.selection.reverse = !1;
	}
	var p = Wu(), m = I(p), h = F(m);
	Y(h, 23, () => a, (e) => e.kind, (e, t, r) => {
		var i = Du(), a = L(i, !0);
		B(() => {
			Z(i, "aria-selected", U(l) === U(t).kind), Z(i, "tabindex", U(l) === U(t).kind ? 0 : -1), q(a, U(t).text);
		}), W("click", i, () => n.selection.kind = U(t).kind), W("keydown", i, (e) => d(e, U(r))), K(e, i);
	}), O(h), ta(h, (e) => u = e, () => u);
	var g = R(h, 2), _ = L(F(g), !0);
	O(g), hu(R(g, 2), { get fill() {
		return t.fill;
	} }), O(m);
	var v = R(m, 2), y = F(v), b = (e) => {
		var t = ku(), r = R(F(t));
		Y(r, 21, () => n.pane.attentions, (e) => e.attention, (e, t) => {
			var n = Ou(), r = L(n, !0), i = {};
			B(() => {
				q(r, o[U(t).attention]), i !== (i = U(t).attention) && (n.value = (n.__value = i) ?? "");
			}), K(e, n);
		}), O(r);
		var i;
		Di(r), O(t), B(() => {
			i !== (i = n.attention.attention) && (r.value = (r.__value = i) ?? "", Ei(r, i));
		}), W("change", r, (e) => n.chooseAttention(e.currentTarget.value)), K(e, t);
	};
	J(y, (e) => {
		n.pane.attentions.length > 1 && e(b);
	});
	var x = R(y, 2), S = (e) => {
		var t = Au(), r = F(t), i = R(F(r));
		Y(i, 20, () => U(s), (e) => e, (e, t) => {
			var n = Ou(), r = L(n, !0), i = {};
			B(() => {
				q(r, t), i !== (i = t) && (n.value = (n.__value = i) ?? "");
			}), K(e, n);
		}), O(i);
		var a;
		Di(i), O(r);
		var o = R(r, 2), l = R(o, 2);
		O(t), B(() => {
			a !== (a = n.layer.layer) && (i.value = (i.__value = a) ?? "", Ei(i, a)), o.disabled = U(c) === 0, l.disabled = U(c) === U(s).length - 1;
		}), W("change", i, (e) => n.selection.layer = Number(e.currentTarget.value)), W("click", o, () => n.stepLayer(-1)), W("click", l, () => n.stepLayer(1)), K(e, t);
	}, C = (e) => {
		var t = Pu(), i = I(t), a = F(i), o = R(F(a)), s = F(o);
		s.value = s.__value = "layer";
		var c = R(s), l = (e) => {
			var t = ju();
			t.value = t.__value = "asked", K(e, t);
		};
		J(c, (e) => {
			n.asked && e(l);
		}), Y(R(c), 17, () => r.statistics, ({ name: e }) => e, (e, t) => {
			let n = () => U(t).name;
			var r = Ou(), i = L(r, !0), a = {};
			B(() => {
				q(i, n()), a !== (a = n()) && (r.value = (r.__value = a) ?? "");
			}), K(e, r);
		}), O(o);
		var u;
		Di(o), O(a);
		var d = R(a, 2), p = L(d, !0);
		O(i);
		var m = R(i, 2), h = (e) => {
			var t = Nu(), r = I(t), i = R(F(r)), a = F(i);
			a.value = a.__value = "head", Y(R(a), 16, () => n.names.kinds, (e) => e, (e, t, n, r) => {
				var i = Ou(), a = L(i), o = {};
				B(() => {
					q(a, `by ${t ?? ""}`), o !== (o = t) && (i.value = (i.__value = o) ?? "");
				}), K(e, i);
			}), O(i), Di(i), O(r), Y(R(r, 2), 16, () => n.names.kinds.filter((e) => e !== n.selection.colour), (e) => e, (e, t, r, i) => {
				var a = Mu(), o = F(a), s = R(o), c = F(s);
				c.value = c.__value = "", Y(R(c), 17, () => n.names.counted(t, n.attention.attention), ({ name: e, count: t }) => e.name, (e, t) => {
					let n = () => U(t).name, r = () => U(t).count;
					var i = Ou(), a = L(i), o = {};
					B(() => {
						q(a, `${n().title ?? ""} (${r() ?? ""})`), o !== (o = n().name) && (i.value = (i.__value = o) ?? "");
					}), K(e, i);
				}), O(s), Di(s), O(a), B((e) => q(o, `${e ?? ""} `), [() => t[0].toUpperCase() + t.slice(1)]), Oi(s, () => n.selection[t], (e) => n.selection[t] = e), K(e, a);
			}), Oi(i, () => n.selection.colour, (e) => n.selection.colour = e), K(e, t);
		};
		J(m, (e) => {
			n.names.kinds.length > 0 && !n.rollout && e(h);
		}), B(() => {
			u !== (u = n.selection.order) && (o.value = (o.__value = u) ?? "", Ei(o, u)), Z(d, "aria-pressed", n.selection.reverse), q(p, n.selection.reverse ? "↑" : "↓");
		}), W("change", o, (e) => f(e.currentTarget.value)), W("click", d, () => n.selection.reverse = !n.selection.reverse), K(e, t);
	};
	J(x, (e) => {
		U(l) === "model" ? e(C, -1) : e(S);
	});
	var w = R(x, 2), ee = (e) => {
		var t = Fu(), r = R(F(t)), i = F(r);
		i.value = i.__value = "all";
		var a = R(i);
		a.value = a.__value = "a-a";
		var o = R(a);
		o.value = o.__value = "b-b";
		var s = R(o);
		s.value = s.__value = "a-b";
		var c = R(s);
		c.value = c.__value = "b-a", O(r), Di(r), O(t), Oi(r, () => n.selection.sentences, (e) => n.selection.sentences = e), K(e, t);
	};
	J(w, (e) => {
		n.hasSentences && U(l) !== "neuron" && e(ee);
	});
	var te = R(w, 2), ne = (e) => {
		var t = Iu(), r = F(t);
		Bi(r), De(), O(t), B(() => Hi(r, n.selection.level === "words")), W("change", r, (e) => n.selection.level = e.currentTarget.checked ? "words" : "pieces"), K(e, t);
	};
	J(te, (e) => {
		n.hasWords && U(l) !== "neuron" && e(ne);
	});
	var re = R(te, 2), ie = (e) => {
		var t = Lu(), r = F(t);
		Bi(r), De(), O(t), B(() => Hi(r, n.selection.weighting === "value norms")), W("change", r, (e) => n.selection.weighting = e.currentTarget.checked ? "value norms" : "weights"), K(e, t);
	};
	J(re, (e) => {
		n.hasNorms && U(l) !== "neuron" && e(ie);
	});
	var ae = R(re, 2), oe = (e) => {
		var t = Ru(), r = F(t);
		Bi(r), De(), O(t), Yi(r, () => n.selection.without_first, (e) => n.selection.without_first = e), K(e, t);
	};
	J(ae, (e) => {
		n.hasFirst && U(l) !== "neuron" && U(l) !== "image" && e(oe);
	});
	var se = R(ae, 2), ce = (e) => {
		var t = zu(), r = F(t);
		Bi(r), De(), O(t), B(() => Hi(r, n.selection.layout === "rows")), W("change", r, (e) => n.selection.layout = e.currentTarget.checked ? "rows" : "columns"), K(e, t);
	};
	J(se, (e) => {
		U(l) === "head" && e(ce);
	});
	var le = R(se, 2), ue = (e) => {
		Eu(e, {});
	};
	J(le, (e) => {
		(U(l) === "head" || U(l) === "model") && e(ue);
	});
	var de = R(le, 2), fe = (e) => {
		var t = Bu(), r = R(F(t));
		Bi(r), O(t), B(() => Vi(r, n.selection.square ?? 112)), W("input", r, (e) => n.selection.square = Number(e.currentTarget.value)), K(e, t);
	};
	J(de, (e) => {
		U(l) === "model" && e(fe);
	});
	var pe = R(de, 2), me = (e) => {
		var t = Vu(), r = R(F(t)), i = F(r);
		i.value = i.__value = "from";
		var a = R(i);
		a.value = a.__value = "to", O(r), Di(r), O(t), Oi(r, () => n.selection.direction, (e) => n.selection.direction = e), K(e, t);
	};
	J(pe, (e) => {
		U(l) === "text" && e(me);
	});
	var he = R(pe, 2), ge = (e) => {
		vu(e, {});
	};
	J(he, (e) => {
		U(l) !== "image" && U(l) !== "neuron" && e(ge);
	});
	var T = R(he, 2), _e = (e) => {
		var t = Hu(), r = L(t);
		B(() => q(r, `Unpin ${n.selection.pinned.length ?? ""}`)), W("click", t, () => n.unpin()), K(e, t);
	};
	J(T, (e) => {
		n.selection.pinned.length > 0 && U(l) !== "neuron" && e(_e);
	});
	var ve = R(T, 2), ye = (e) => {
		let t = /* @__PURE__ */ j(() => {
			let [e, t] = n.pair;
			return {
				query: e,
				key: t
			};
		});
		var r = Uu(), i = L(r);
		B((e, t) => q(i, `Which heads link ${e ?? ""} → ${t ?? ""}?`), [() => jo(n.queries[U(t).query].text), () => jo(n.keys[U(t).key].text)]), W("click", r, () => n.ask(U(t).query, U(t).key)), K(e, r);
	};
	J(ve, (e) => {
		n.pair && e(ye);
	}), O(v), B(() => {
		Z(g, "title", r.title), q(_, r.title);
	}), K(e, p), A();
}
Pr([
	"click",
	"keydown",
	"change",
	"input"
]);
//#endregion
//#region src/App.svelte
var Ku = /* @__PURE__ */ G("<div class=\"panes svelte-1n46o8q\"></div>"), qu = /* @__PURE__ */ G("<p class=\"note svelte-1n46o8q\" role=\"note\"> </p>"), Ju = /* @__PURE__ */ G("<p> </p>"), Yu = /* @__PURE__ */ G("<div class=\"print svelte-1n46o8q\"><!><!></div>"), Xu = /* @__PURE__ */ G("<div role=\"region\"><div class=\"screen svelte-1n46o8q\"><!> <!> <!> <!></div> <!></div>");
function Zu(e, t) {
	k(t, !0);
	let n = ia(t, "store", 7);
	$e("store", n());
	let r, i = /* @__PURE__ */ N([]);
	z(() => ua(() => n().dark = sa(n().scene.theme, t.fill ? null : r.parentElement))), z(() => {
		let e = () => {
			let e = n().dark;
			n().dark = !1, zt();
			let t = n().panes.flatMap((e) => e.picture?.() ?? []);
			P(i, t.map((e) => va(e, aa.light.page))), n().dark = e, zt();
		}, t = () => P(i, []);
		return window.addEventListener("beforeprint", e), window.addEventListener("afterprint", t), () => {
			window.removeEventListener("beforeprint", e), window.removeEventListener("afterprint", t);
		};
	});
	function a(e) {
		e.target instanceof HTMLSelectElement || e.target instanceof HTMLInputElement || (e.key === "Escape" ? (n().detail && n().selection.kind === "model" ? n().detail = !1 : n().unpin(), n().hover = null) : e.key === "[" ? n().stepLayer(-1) : e.key === "]" && n().stepLayer(1));
	}
	function o(e) {
		z(() => {
			for (let [t, r] of Object.entries(n().colours)) e.style.setProperty(`--${t}`, r);
			e.style.setProperty("--font", oa), e.style.setProperty("color-scheme", n().dark ? "dark" : "light");
		});
	}
	var s = Xu();
	let c;
	var l = F(s), u = F(l);
	Gu(u, { get fill() {
		return t.fill;
	} });
	var d = R(u, 2), f = (e) => {
		var t = Ku();
		Y(t, 21, () => n().panes, ei, (e, t) => {
			{
				let n = /* @__PURE__ */ j(() => U(t).pane.name ?? "first");
				Ql(e, {
					get store() {
						return U(t);
					},
					get name() {
						return U(n);
					}
				});
			}
		}), O(t), K(e, t);
	}, p = (e) => {
		Ql(e, { get store() {
			return n();
		} });
	};
	J(d, (e) => {
		n().panes.length > 1 ? e(f) : e(p, -1);
	});
	var m = R(d, 2);
	Y(m, 17, () => n().scene.edits, ei, (e, t) => {
		var n = qu(), r = L(n);
		B(() => q(r, `Attention was changed (${U(t).edit ?? ""}) in ${U(t).heads.length ?? ""} heads.`)), K(e, n);
	}), Y(R(m, 2), 16, () => n().scene.notes, (e) => e, (e, t) => {
		var n = qu(), r = L(n, !0);
		B(() => q(r, t)), K(e, n);
	}), O(l), Y(R(l, 2), 17, () => U(i), ei, (e, t, r) => {
		var i = Yu(), a = F(i), o = (e) => {
			var t = Ju(), r = L(t, !0);
			B(() => q(r, n().scene.title)), K(e, t);
		};
		J(a, (e) => {
			r === 0 && e(o);
		}), li(R(a), () => U(t)), O(i), K(e, i);
	}), O(s), ta(s, (e) => r = e, () => r), fi(s, () => o), B(() => {
		c = xi(s, 1, "attlas svelte-1n46o8q", null, c, { fill: t.fill }), Z(s, "data-theme", n().dark ? "dark" : "light"), Z(s, "aria-label", `Attention of ${n().scene.title ?? ""}`);
	}), W("keydown", s, a), K(e, s), A();
}
Pr(["keydown"]);
//#endregion
//#region src/core/bridge.ts
function Qu(e, t, n, r, i) {
	let a = /* @__PURE__ */ new Set(), o = () => Object.fromEntries(n.map((e) => [e, t.get(e)]));
	function s({ data: s, source: c }) {
		if (s?.attlas === e && c) {
			if (s.changed) {
				for (let [e, r] of Object.entries(s.changed)) n.includes(e) && t.set(e, r);
				t.save_changes();
			} else a.add(c), c.postMessage({
				attlas: e,
				selection: o(),
				data: r(),
				dark: i()
			}, { targetOrigin: "*" });
		}
	}
	let c = () => a.forEach((t) => t.postMessage({
		attlas: e,
		selection: o()
	}, { targetOrigin: "*" }));
	window.addEventListener("message", s);
	for (let e of n) t.on(`change:${e}`, c);
	return () => {
		window.removeEventListener("message", s);
		for (let e of n) t.off(`change:${e}`, c);
	};
}
function $u(e) {
	let t = {}, n = {}, r = /* @__PURE__ */ new Map(), i = (e) => window.parent.postMessage(e, "*"), a = {
		get: (e) => t[e],
		set: (e, r) => void (t[e] = n[e] = r),
		save_changes() {
			i({
				attlas: e,
				changed: { ...n }
			});
			for (let e of Object.keys(n)) delete n[e];
		},
		on: (e, t) => void r.set(e, (r.get(e) ?? /* @__PURE__ */ new Set()).add(t)),
		off: (e, t) => void r.get(e)?.delete(t)
	};
	return new Promise((n) => {
		window.addEventListener("message", ({ data: i, source: o }) => {
			if (o === window.parent && i?.attlas === e) {
				for (let [e, n] of Object.entries(i.selection)) JSON.stringify(t[e]) !== JSON.stringify(n) && (t[e] = n, r.get(`change:${e}`)?.forEach((e) => e()));
				i.data && n({
					model: a,
					data: i.data,
					dark: i.dark ?? null
				});
			}
		});
		let o = setInterval(() => i({ attlas: e }), 500);
		setTimeout(() => clearInterval(o), 2e4), i({ attlas: e });
	});
}
//#endregion
//#region src/core/traits.svelte.ts
var ed = (e, t) => JSON.stringify(e) === JSON.stringify(t);
function td(e, t) {
	let n = Object.keys(e.selection), r = (n) => {
		let r = t.get(n);
		ed(r, Ke(e.selection[n])) || Object.assign(e.selection, { [n]: r });
	}, i = n.map((e) => {
		r(e);
		let n = () => r(e);
		return t.on(`change:${e}`, n), () => t.off(`change:${e}`, n);
	}), a = new Map(n.map((t) => [t, JSON.stringify(Ke(e.selection[t]))])), o = On(() => {
		z(() => {
			let r = !1;
			for (let i of n) {
				let n = Ke(e.selection[i]), o = JSON.stringify(n);
				a.get(i) !== o && (a.set(i, o), !ed(n, t.get(i)) && (t.set(i, n), r = !0));
			}
			r && t.save_changes();
		});
	});
	return () => {
		o(), i.forEach((e) => e());
	};
}
//#endregion
//#region src/main.ts
async function nd(e, t, n, r = !1) {
	try {
		let i = await ac(n);
		$s(t, i.byteLength);
		let a = new Ec(t, i, sa(t.theme, r ? null : e));
		for (let e of t.panes ?? []) new Ec(t, i, a.dark, e, a);
		let o = Jr(Zu, {
			target: e,
			props: {
				store: a,
				fill: r
			}
		});
		return zt(), {
			store: a,
			destroy: () => void Qr(o)
		};
	} catch (t) {
		let n = document.createElement("p");
		throw n.setAttribute("role", "alert"), n.textContent = t instanceof Error ? t.message : String(t), e.replaceChildren(n), t;
	}
}
function rd(e) {
	return new Uint8Array(e.buffer, e.byteOffset, e.byteLength);
}
var id = (e) => Object.keys(e.selection);
function ad({ model: e }) {
	let t = e.get("scene");
	return Qu(e.get("key"), e, id(t), () => rd(e.get("data")), () => sa("system", document.body));
}
async function od({ model: e, el: t }) {
	let n = structuredClone(e.get("scene"));
	for (let t of id(n)) Object.assign(n.selection, { [t]: e.get(t) });
	let { store: r, destroy: i } = await nd(t, n, rd(e.get("data"))), a = td(r, e);
	return () => {
		a(), i();
	};
}
var sd = {
	initialize: ad,
	render: od
};
async function cd(e, t) {
	let n = document.querySelector("script[data-attlas=\"data\"]")?.textContent, { key: r } = e.dataset, i = r && window.parent !== window ? $u(r) : null, a = n ? ic(n) : (await i)?.data;
	if (!a) return;
	let o = structuredClone(t.selection);
	location.hash.length > 1 && (t.selection = ru(location.hash, t), t.why = "");
	let { store: s } = await nd(e, t, a, !0);
	t.selection = o, ou(s), window.addEventListener("hashchange", () => Object.assign(s.selection, ru(location.hash, t))), performance.mark("attlas-drawn"), i?.then(({ model: e, dark: n }) => {
		n !== null && t.theme === "system" && (t.theme = n ? "dark" : "light"), s.dark = sa(t.theme), td(s, e);
	});
}
var ld = document.querySelector("script[data-attlas=\"scene\"]");
ld?.textContent && cd(document.getElementById("attlas"), JSON.parse(ld.textContent));
//#endregion
export { sd as default, nd as mount };
