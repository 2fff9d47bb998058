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
var h = 1 << 24, g = 1024, _ = 2048, v = 4096, y = 8192, b = 16384, x = 32768, S = 1 << 25, C = 65536, w = 1 << 19, ee = 1 << 20, T = 1 << 25, te = 1 << 21, ne = 1 << 22, re = 1 << 23, E = Symbol("$state"), ie = Symbol("component"), ae = Symbol("legacy props"), oe = Symbol(""), se = Symbol("attributes"), ce = Symbol("class"), le = Symbol("style"), ue = Symbol("text"), de = Symbol("form reset"), fe = new class extends Error {
	name = "StaleReactionError";
	message = "The reaction that called `getAbortSignal()` was re-run or destroyed";
}(), pe = !!globalThis.document?.contentType && /* @__PURE__ */ globalThis.document.contentType.includes("xml"), me = {}, D = Symbol("uninitialized"), he = "http://www.w3.org/1999/xhtml", ge = "http://www.w3.org/2000/svg", _e = "http://www.w3.org/1998/Math/MathML";
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
//#endregion
//#region node_modules/svelte/src/internal/client/dom/hydration.js
var O = !1;
function Se(e) {
	O = e;
}
var k;
function Ce(e) {
	if (e === null) throw ye(), me;
	return k = e;
}
function we() {
	return Ce(/* @__PURE__ */ mn(k));
}
function A(e) {
	if (O) {
		if (/* @__PURE__ */ mn(k) !== null) throw ye(), me;
		k = e;
	}
}
function Te(e = 1) {
	if (O) {
		for (var t = e, n = k; t--;) n = /* @__PURE__ */ mn(n);
		k = n;
	}
}
function Ee(e = !0) {
	for (var t = 0, n = k;;) {
		if (n.nodeType === 8) {
			var r = n.data;
			if (r === "]") {
				if (t === 0) return n;
				--t;
			} else (r === "[" || r === "[!" || r[0] === "[" && !isNaN(Number(r.slice(1)))) && (t += 1);
		}
		var i = /* @__PURE__ */ mn(n);
		e && n.remove(), n = i;
	}
}
function De(e) {
	if (!e || e.nodeType !== 8) throw ye(), me;
	return e.data;
}
//#endregion
//#region node_modules/svelte/src/internal/client/reactivity/equality.js
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
//#endregion
//#region node_modules/svelte/src/internal/client/errors.js
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
//#endregion
//#region node_modules/svelte/src/internal/shared/clone.js
var Ue = [];
function We(e, t = !1, n = !1) {
	return Ge(e, /* @__PURE__ */ new Map(), "", Ue, null, n);
}
function Ge(t, n, r, i, a = null, o = !1) {
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
				d in t && (u[d] = Ge(f, n, r, i, null, o));
			}
			return u;
		}
		if (l(t) === s) {
			u = {}, n.set(t, u), a !== null && n.set(a, u);
			for (var p of Object.keys(t)) u[p] = Ge(t[p], n, r, i, null, o);
			return u;
		}
		if (t instanceof Date) return t.getTime(), structuredClone(t);
		if (typeof t.toJSON == "function" && !o) return Ge(t.toJSON(), n, r, i, t);
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
function Ke(e) {
	let t = e.p;
	for (; t !== null && t.c === null;) t = t.p;
	return t?.c ?? null;
}
function qe(e, t) {
	return e === null && je(t), e.c ??= new Map(Ke(e) || void 0);
}
//#endregion
//#region node_modules/svelte/src/internal/client/context.js
var Je = null;
function Ye(e) {
	Je = e;
}
function Xe(e) {
	return qe(Je, "getContext").get(e);
}
function Ze(e, t) {
	return qe(Je, "setContext").set(e, t), t;
}
function j(e, t = !1, n) {
	Je = {
		p: Je,
		i: !1,
		c: null,
		e: null,
		s: e,
		x: null,
		r: U,
		l: null
	};
}
function Qe(e) {
	var t = Je, n = t.e;
	if (n !== null) {
		t.e = null;
		for (var r of n) En(r);
	}
	return e !== void 0 && (t.x = e), t.i = !0, Je = t.p, $e(e);
}
function $e(e = {}) {
	return i(e, ie, { value: !0 }), e;
}
function et() {
	return !0;
}
//#endregion
//#region node_modules/svelte/src/internal/client/dom/task.js
var tt = [];
function nt() {
	var e = tt;
	tt = [], f(e);
}
function rt(e) {
	if (tt.length === 0 && !jt) {
		var t = tt;
		queueMicrotask(() => {
			t === tt && nt();
		});
	}
	tt.push(e);
}
function it() {
	for (; tt.length > 0;) nt();
}
//#endregion
//#region node_modules/svelte/src/internal/client/reactivity/status.js
var at = ~(_ | v | g);
function ot(e, t) {
	e.f = e.f & at | t;
}
function st(e) {
	e.f & 512 || e.deps === null ? ot(e, g) : ot(e, v);
}
//#endregion
//#region node_modules/svelte/src/internal/client/reactivity/utils.js
function ct(e, t) {
	e.f & 2048 ? t.set(e, _) : e.f & 4096 && t.get(e) !== 2048 && t.set(e, v), ot(e, g);
}
//#endregion
//#region node_modules/svelte/src/internal/client/dom/elements/misc.js
function lt(e, t) {
	if (t) {
		let t = document.body;
		e.autofocus = !0, rt(() => {
			document.activeElement === t && e.focus();
		});
	}
}
var ut = !1;
function dt() {
	ut || (ut = !0, document.addEventListener("reset", (e) => {
		Promise.resolve().then(() => {
			if (!e.defaultPrevented) for (let t of e.target.elements) t[de]?.();
		});
	}, { capture: !0 }));
}
//#endregion
//#region node_modules/svelte/src/internal/client/dom/elements/bindings/shared.js
function ft(e) {
	var t = H, n = U;
	Xn(null), Zn(null);
	try {
		return e();
	} finally {
		Xn(t), Zn(n);
	}
}
function pt(e, t, n, r = n) {
	e.addEventListener(t, () => ft(n));
	let i = e[de];
	e[de] = i ? () => {
		i(), r(!0);
	} : () => r(!0), dt();
}
//#endregion
//#region node_modules/svelte/src/internal/client/reactivity/async.js
function mt(e, t, n, r) {
	let i = et() ? vt : xt;
	var a = e.filter((e) => !e.settled), o = t.map(i);
	if (n.length === 0 && a.length === 0) {
		r(o);
		return;
	}
	var s = U, c = ht(), l = a.length === 1 ? a[0].promise : a.length > 1 ? Promise.all(a.map((e) => e.promise)) : null;
	function u(e) {
		if (!(s.f & 16384)) {
			c();
			try {
				r([...o, ...e]);
			} catch (e) {
				bn(e, s);
			}
			gt();
		}
	}
	var d = _t();
	if (n.length === 0) {
		l.then(() => u([])).finally(d);
		return;
	}
	function f() {
		Promise.all(n.map((e) => /* @__PURE__ */ bt(e))).then(u).catch((e) => bn(e, s)).finally(d);
	}
	l ? l.then(() => {
		s.f & 16384 ? d() : (c(), f(), gt());
	}) : f();
}
function ht() {
	var e = U, t = H, n = Je, r = N;
	return function(i = !0) {
		Zn(e), Xn(t), Ye(n), i && !(e.f & 16384) && (r?.activate(), r?.apply());
	};
}
function gt(e = !0) {
	Zn(null), Xn(null), Ye(null), e && N?.deactivate();
}
function _t() {
	var e = U, t = e.b, n = N, r = !!t?.is_rendered();
	return t?.update_pending_count(1, n), n.increment(r, e), () => {
		t?.update_pending_count(-1, n), n.decrement(r, e);
	};
}
/*#__NO_SIDE_EFFECTS__*/
function vt(e) {
	var t = 2 | _;
	return U !== null && (U.f |= w), {
		ctx: Je,
		deps: null,
		effects: null,
		equals: Oe,
		f: t,
		fn: e,
		reactions: null,
		rv: 0,
		v: D,
		wv: 0,
		parent: U,
		ac: null
	};
}
var yt = Symbol("obsolete");
/*#__NO_SIDE_EFFECTS__*/
function bt(e, t, n) {
	let r = U;
	r === null && Me();
	var i = void 0, a = Jt(D), o = !H, s = /* @__PURE__ */ new Set();
	return An(() => {
		var t = U, n = p();
		i = n.promise;
		try {
			Promise.resolve(e()).then(n.resolve, (e) => {
				e !== fe && n.reject(e);
			}).finally(gt);
		} catch (e) {
			n.reject(e), gt();
		}
		var c = N;
		if (o) {
			if (t.f & 32768) var l = _t();
			if (r.b?.is_rendered()) c.async_deriveds.get(t)?.reject(yt);
			else for (let e of s.values()) e.reject(yt);
			s.add(n), c.async_deriveds.set(t, n);
		}
		let u = (e, t = void 0) => {
			l?.(), s.delete(n), t !== yt && (c.activate(), t ? (a.f |= re, Qt(a, t)) : (a.f & 8388608 && (a.f ^= re), Qt(a, e)), c.deactivate());
		};
		n.promise.then(u, (e) => u(null, e || "unknown"));
	}), Tn(() => {
		for (let e of s) e.reject(yt);
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
function M(e) {
	let t = /* @__PURE__ */ vt(e);
	return $n(t), t;
}
/*#__NO_SIDE_EFFECTS__*/
function xt(e) {
	let t = /* @__PURE__ */ vt(e);
	return t.equals = Ae, t;
}
function St(e) {
	var t = e.effects;
	if (t !== null) {
		e.effects = null;
		for (var n = 0; n < t.length; n += 1) Rn(t[n]);
	}
}
function Ct(e) {
	var t, n = U, r = e.parent;
	if (!qn && r !== null && e.v !== D && r.f & 24576) return ve(), e.v;
	Zn(r);
	try {
		St(e), t = dr(e);
	} finally {
		Zn(n);
	}
	return t;
}
function wt(e) {
	var t = Ct(e);
	!e.equals(t) && (e.wv = cr(), (!N?.is_fork || e.deps === null) && (N === null ? e.v = t : (N.capture(e, t, !0), Ot?.capture(e, t, !0)), e.deps === null)) ? ot(e, g) : qn || (kt === null ? st(e) : (wn() || N?.is_fork) && kt.set(e, t));
}
function Tt(e) {
	if (e.effects !== null) for (let t of e.effects) (t.teardown || t.ac) && (t.teardown?.(), t.ac !== null && ft(() => {
		t.ac.abort(fe), t.ac = null;
	}), t.fn !== null && (t.teardown = d), mr(t, 0), In(t));
}
function Et(e) {
	if (e.effects !== null) for (let t of e.effects) t.teardown && t.fn !== null && hr(t);
}
//#endregion
//#region node_modules/svelte/src/internal/client/reactivity/batch.js
var Dt = null, N = null, Ot = null, kt = null, At = null, jt = !1, Mt = !1, Nt = null, Pt = null, Ft = 0, It = 1, Lt = class e {
	id = It++;
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
		Dt === null ? Dt = this : (Dt.next = this, this.prev = Dt), Dt = this;
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
			for (var r of n.d) ot(r, _), t(r);
			for (r of n.m) ot(r, v), t(r);
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
		for (let [e, t] of this.#s) ot(e, t), this.schedule(e);
		this.apply();
		for (var t = Nt = [], n = [], r = Pt = []; this.#a.length > 0;) {
			Ft++ > 1e3 && (this.#b(), zt());
			for (let e of this.#p()) try {
				this.#h(e, t, n);
			} catch (t) {
				throw Wt(e), this.#d() || this.discard(), t;
			}
		}
		if (N = null, r.length > 0) {
			var i = e.ensure();
			for (let e of r) i.schedule(e);
		}
		if (Nt = null, Pt = null, this.#d()) {
			this.#y(n), this.#y(t);
			for (let [e, t] of this.#c) Ut(e, t);
			r.length > 0 && N.#m();
			return;
		}
		let a = this.#g();
		if (a) this.#y(n), this.#y(t), a.#v(this);
		else {
			this.#s.clear();
			for (let e of this.#e) e(this);
			this.#e.clear(), Ot = this, Vt(n), Vt(t), Ot = null, this.#i?.resolve();
			var o = N;
			this.#n === 0 && (this.#a.length === 0 || o !== null) && this.#b(), o !== null && (Kt.clear(), o.#m());
		}
	}
	#h(e, t, n) {
		e.f ^= g;
		for (var r = e.first; r !== null;) {
			var i = r.f, a = !!(i & 96);
			if (!(a && i & 1024 || i & 8192 || this.#c.has(r)) && r.fn !== null) {
				a ? r.f ^= g : i & 4 ? t.push(r) : lr(r) && (i & 16 && this.add_dirty_reaction(r, v), hr(r));
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
					r & 4194320 && !this.async_deriveds.has(i) && (this.#s.delete(i), ot(i, _), this.schedule(i));
				}
			}
		};
		for (let e of this.current.keys()) t(e);
		this.oncommit(() => e.discard()), e.#b(), N = this, this.#m();
	}
	#y(e) {
		for (var t = 0; t < e.length; t += 1) ct(e[t], this.#s);
	}
	capture(e, t, n = !1) {
		e.v !== D && !this.previous.has(e) && this.previous.set(e, e.v), e.f & 8388608 || (this.current.set(e, [t, n]), kt?.set(e, t)), this.is_fork || (e.v = t);
	}
	activate() {
		N = this;
	}
	deactivate() {
		N = null, kt = null;
	}
	flush() {
		try {
			Mt = !0, N = this, this.#m();
		} finally {
			Ft = 0, At = null, Nt = null, Pt = null, Mt = !1, N = null, kt = null, Kt.clear();
		}
	}
	discard() {
		for (let e of this.#t) e(this);
		this.#t.clear();
		for (let e of this.async_deriveds.values()) e.reject(yt);
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
		this.#u || (this.#u = !0, rt(() => {
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
		if (N === null) {
			let t = N = new e();
			!Mt && !jt && rt(() => {
				t.started || t.flush();
			});
		}
		return N;
	}
	apply() {
		kt = null;
	}
	schedule(e) {
		At = e, e.b?.is_pending && e.f & 16777228 && !(e.f & 32768) ? e.b.defer_effect(e) : this.#a.push(e);
	}
	#b() {
		if (this.linked) {
			var e = this.prev, t = this.next;
			e === null || (e.next = t), t === null ? Dt = e : t.prev = e, this.linked = !1;
		}
	}
};
function Rt(e) {
	var t = jt, n = Ot;
	Ot = null, jt = !0;
	try {
		var r;
		for (e && (Rt(), r = e());;) {
			if (it(), N === null) return r;
			N.flush();
		}
	} finally {
		jt = t, Ot = n;
	}
}
function zt() {
	try {
		Le();
	} catch (e) {
		bn(e, At);
	}
}
var Bt = null;
function Vt(e) {
	var t = e.length;
	if (t !== 0) {
		for (var n = 0; n < t;) {
			var r = e[n++];
			if (!(r.f & 24576) && lr(r) && (Bt = /* @__PURE__ */ new Set(), hr(r), r.deps === null && r.first === null && r.nodes === null && r.teardown === null && r.ac === null && Bn(r), Bt?.size > 0)) {
				Kt.clear();
				for (let e of Bt) {
					if (e.f & 24576) continue;
					let t = [e], n = e.parent;
					for (; n !== null;) Bt.has(n) && (Bt.delete(n), t.push(n)), n = n.parent;
					for (let e = t.length - 1; e >= 0; e--) {
						let n = t[e];
						n.f & 24576 || hr(n);
					}
				}
				Bt.clear();
			}
		}
		Bt = null;
	}
}
function Ht(e) {
	N.schedule(e);
}
function Ut(e, t) {
	if (!(e.f & 32 && e.f & 1024)) {
		e.f & 2048 ? t.d.push(e) : e.f & 4096 && t.m.push(e), ot(e, g);
		for (var n = e.first; n !== null;) Ut(n, t), n = n.next;
	}
}
function Wt(e) {
	ot(e, g);
	for (var t = e.first; t !== null;) Wt(t), t = t.next;
}
//#endregion
//#region node_modules/svelte/src/internal/client/reactivity/sources.js
var Gt = /* @__PURE__ */ new Set(), Kt = /* @__PURE__ */ new Map(), qt = !1;
function Jt(e, t) {
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
function P(e, t) {
	let n = Jt(e, t);
	return $n(n), n;
}
/*#__NO_SIDE_EFFECTS__*/
function Yt(e, t = !1, n = !0) {
	let r = Jt(e);
	return t || (r.equals = Ae), r;
}
function F(e, t, n = !1) {
	return H !== null && (!Yn || H.f & 131072) && et() && H.f & 4325394 && (Qn === null || !Qn.has(e)) && Ve(), Qt(e, n ? rn(t) : t, Pt);
}
var Xt = null, Zt = 0;
function Qt(e, t, n = null) {
	if (!e.equals(t)) {
		qn ? Kt.set(e, t) : Kt.has(e) || Kt.set(e, e.v);
		var r = Lt.ensure();
		if (r.capture(e, t), e.f & 2) {
			let t = e;
			e.f & 2048 && Ct(t), kt === null && st(t);
		}
		e.wv = cr(), Xt = null, Zt = 0, nn(e, _, n), Xt = null, et() && U !== null && U.f & 1024 && !(U.f & 96) && (nr === null ? rr([e]) : nr.push(e)), !r.is_fork && Gt.size > 0 && !qt && $t();
	}
	return t;
}
function $t() {
	qt = !1;
	for (let e of Gt) {
		e.f & 1024 && ot(e, v);
		let t;
		try {
			t = lr(e);
		} catch {
			t = !0;
		}
		t && hr(e);
	}
	Gt.clear();
}
function en(e, t = 1) {
	var n = W(e), r = t === 1 ? n++ : n--;
	return F(e, n), r;
}
function tn(e) {
	F(e, e.v + 1);
}
function nn(e, t, n) {
	var r = e.reactions;
	if (r !== null) {
		var i = et(), a = r.length;
		if (Zt += a, Zt > 1e5 && Xt === null && (Xt = /* @__PURE__ */ new Set()), Xt !== null) {
			if (Xt.has(e)) return;
			Xt.add(e);
		}
		for (var o = 0; o < a; o++) {
			var s = r[o], c = s.f;
			if (i || s !== U) {
				var l = (c & _) === 0;
				if (l && ot(s, t), c & 131072) Gt.add(s);
				else if (c & 2) {
					var u = s;
					kt?.delete(u), nn(u, v, n);
				} else if (l) {
					var d = s;
					c & 16 && Bt !== null && Bt.add(d), n === null ? Ht(d) : n.push(d);
				}
			}
		}
	}
}
function rn(t) {
	if (typeof t != "object" || !t || E in t || ie in t) return t;
	let n = l(t);
	if (n !== s && n !== c) return t;
	var r = /* @__PURE__ */ new Map(), i = e(t), o = /* @__PURE__ */ P(0), u = null, d = or, f = (e) => {
		if (or === d) return e();
		var t = H, n = or;
		Xn(null), sr(d);
		var r = e();
		return Xn(t), sr(n), r;
	};
	return i && r.set("length", /* @__PURE__ */ P(t.length, u)), new Proxy(t, {
		defineProperty(e, t, n) {
			(!("value" in n) || n.configurable === !1 || n.enumerable === !1 || n.writable === !1) && ze();
			var i = r.get(t);
			return i === void 0 ? f(() => {
				var e = /* @__PURE__ */ P(n.value, u);
				return r.set(t, e), e;
			}) : F(i, n.value, !0), !0;
		},
		deleteProperty(e, t) {
			var n = r.get(t);
			if (n === void 0) {
				if (t in e) {
					let e = f(() => /* @__PURE__ */ P(D, u));
					r.set(t, e), tn(o);
				}
			} else F(n, D), tn(o);
			return !0;
		},
		get(e, n, i) {
			if (n === E) return t;
			var o = r.get(n), s = n in e;
			if (o === void 0 && (!s || a(e, n)?.writable) && (o = f(() => /* @__PURE__ */ P(rn(s ? e[n] : D), u)), r.set(n, o)), o !== void 0) {
				var c = W(o);
				return c === D ? void 0 : c;
			}
			return Reflect.get(e, n, i);
		},
		getOwnPropertyDescriptor(e, t) {
			this.has?.(e, t);
			var n = Reflect.getOwnPropertyDescriptor(e, t), i = r.get(t);
			if (i !== void 0) {
				var a = W(i);
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
			return (n !== void 0 || (U !== null || H !== null) && (!i || a(e, t)?.writable)) && (n === void 0 && (n = f(() => /* @__PURE__ */ P(i ? rn(e[t]) : D, u)), r.set(t, n)), W(n) === D) ? !1 : i;
		},
		set(e, t, n, s) {
			var c = r.get(t), l = t in e;
			if (i && t === "length") for (var d = n; d < c.v; d += 1) {
				var p = r.get(d + "");
				p === void 0 ? d in e && (p = f(() => /* @__PURE__ */ P(D, u)), r.set(d + "", p)) : F(p, D);
			}
			if (c === void 0) (!l || a(e, t)?.writable) && (c = f(() => /* @__PURE__ */ P(void 0, u)), F(c, rn(n)), r.set(t, c));
			else {
				l = c.v !== D;
				var m = f(() => rn(n));
				F(c, m);
			}
			var h = Reflect.getOwnPropertyDescriptor(e, t);
			if (h?.set && h.set.call(s, n), !l) {
				if (i && typeof t == "string") {
					var g = r.get("length"), _ = Number(t);
					Number.isInteger(_) && _ >= g.v && F(g, _ + 1);
				}
				tn(o);
			}
			return !0;
		},
		ownKeys(e) {
			W(o);
			var t = Reflect.ownKeys(e).filter((e) => {
				var t = r.get(e);
				return t === void 0 || t.v !== D;
			});
			for (var [n, i] of r) i.v !== D && !(n in e) && t.push(n);
			return t;
		},
		setPrototypeOf() {
			Be();
		}
	});
}
function an(e) {
	try {
		if (typeof e == "object" && e && E in e) return e[E];
	} catch {}
	return e;
}
function on(e, t) {
	return Object.is(an(e), an(t));
}
var sn, cn, ln, un;
function dn() {
	if (sn === void 0) {
		sn = window, cn = /Firefox/.test(navigator.userAgent);
		var e = Element.prototype, t = Node.prototype, n = Text.prototype;
		ln = a(t, "firstChild").get, un = a(t, "nextSibling").get, u(e) && (e[ce] = void 0, e[se] = null, e[le] = void 0, e.__e = void 0), u(n) && (n[ue] = void 0);
	}
}
function fn(e = "") {
	return document.createTextNode(e);
}
/*@__NO_SIDE_EFFECTS__*/
function pn(e) {
	return ln.call(e);
}
/*@__NO_SIDE_EFFECTS__*/
function mn(e) {
	return un.call(e);
}
function I(e, t) {
	if (!O) return /* @__PURE__ */ pn(e);
	var n = /* @__PURE__ */ pn(k);
	if (n === null) n = k.appendChild(fn());
	else if (t && n.nodeType !== 3) {
		var r = fn();
		return n?.before(r), Ce(r), r;
	}
	return t && vn(n), Ce(n), n;
}
function L(e, t = !1) {
	if (!O) {
		var n = /* @__PURE__ */ pn(e);
		return n instanceof Comment && n.data === "" ? /* @__PURE__ */ mn(n) : n;
	}
	if (t) {
		if (k?.nodeType !== 3) {
			var r = fn();
			return k?.before(r), Ce(r), r;
		}
		vn(k);
	}
	return k;
}
function R(e, t = !1) {
	if (!O) return /* @__PURE__ */ pn(e);
	var n = I(e, t);
	return A(e), n;
}
function z(e, t = 1, n = !1) {
	let r = O ? k : e;
	for (var i; t--;) i = r, r = /* @__PURE__ */ mn(r);
	if (!O) return r;
	if (n) {
		if (r?.nodeType !== 3) {
			var a = fn();
			return r === null ? i?.after(a) : r.before(a), Ce(a), a;
		}
		vn(r);
	}
	return Ce(r), r;
}
function hn(e) {
	e.textContent = "";
}
function gn() {
	return !1;
}
function _n(e, t, n) {
	return t == null || t === "http://www.w3.org/1999/xhtml" ? n ? document.createElement(e, { is: n }) : document.createElement(e) : n ? document.createElementNS(t, e, { is: n }) : document.createElementNS(t, e);
}
function vn(e) {
	if (e.nodeValue.length < 65536) return;
	let t = e.nextSibling;
	for (; t !== null && t.nodeType === 3;) t.remove(), e.nodeValue += t.nodeValue, t = e.nextSibling;
}
function yn(e) {
	var t = U;
	if (t === null) return H.f |= re, e;
	if (!(t.f & 32768) && !(t.f & 4)) throw e;
	bn(e, t);
}
function bn(e, t) {
	if (e === me) throw e;
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
function xn(e) {
	U === null && (H === null && Ie(e), Fe()), qn && Pe(e);
}
function Sn(e, t) {
	var n = t.last;
	n === null ? t.last = t.first = e : (n.next = e, e.prev = n, t.last = e);
}
function Cn(e, t) {
	var n = U;
	n !== null && n.f & 8192 && (e |= y);
	var r = {
		ctx: Je,
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
	N?.register_created_effect(r);
	var i = r;
	if (e & 4) Nt === null ? Lt.ensure().schedule(r) : Nt.push(r);
	else if (t !== null) {
		try {
			hr(r);
		} catch (e) {
			throw Rn(r), e;
		}
		i.deps === null && i.teardown === null && i.nodes === null && i.first === i.last && !(i.f & 524288) && (i = i.first, e & 16 && e & 65536 && i !== null && (i.f |= C));
	}
	if (i !== null && (i.parent = n, n !== null && Sn(i, n), H !== null && H.f & 2 && !(e & 64))) {
		var a = H;
		(a.effects ??= []).push(i);
	}
	return r;
}
function wn() {
	return H !== null && !Yn;
}
function Tn(e) {
	let t = Cn(8, null);
	return ot(t, g), t.teardown = e, t;
}
function B(e) {
	xn("$effect");
	var t = U.f;
	if (!H && t & 32 && Je !== null && !Je.i) {
		var n = Je;
		(n.e ??= []).push(e);
	} else return En(e);
}
function En(e) {
	return Cn(4 | ee, e);
}
function Dn(e) {
	Lt.ensure();
	let t = Cn(64 | w, e);
	return () => {
		Rn(t);
	};
}
function On(e) {
	Lt.ensure();
	let t = Cn(64 | w, e);
	return (e = {}) => new Promise((n) => {
		e.outro ? Vn(t, () => {
			Rn(t), n(void 0);
		}) : (Rn(t), n(void 0));
	});
}
function kn(e) {
	return Cn(4, e);
}
function An(e) {
	return Cn(ne | w, e);
}
function jn(e, t = 0) {
	return Cn(8 | t, e);
}
function V(e, t = [], n = [], r = []) {
	mt(r, t, n, (t) => {
		Cn(8, () => {
			e(...t.map(W));
		});
	});
}
function Mn(e, t = 0) {
	return Cn(16 | t, e);
}
function Nn(e, t = 0) {
	return Cn(h | t, e);
}
function Pn(e) {
	return Cn(32 | w, e);
}
function Fn(e) {
	var t = e.teardown;
	if (t !== null) {
		let n = qn, r = H;
		Jn(!0), Xn(null);
		try {
			t.call(null);
		} catch (t) {
			bn(t, e.parent);
		} finally {
			Jn(n), Xn(r);
		}
	}
}
function In(e, t = !1) {
	var n = e.first;
	for (e.first = e.last = null; n !== null;) {
		let e = n.ac;
		e !== null && ft(() => {
			e.abort(fe);
		});
		var r = n.next;
		n.f & 64 ? n.parent = null : Rn(n, t), n = r;
	}
}
function Ln(e) {
	for (var t = e.first; t !== null;) {
		var n = t.next;
		t.f & 32 || Rn(t), t = n;
	}
}
function Rn(e, t = !0) {
	var n = !1;
	(t || e.f & 262144) && e.nodes !== null && e.nodes.end !== null && (zn(e.nodes.start, e.nodes.end), n = !0), e.f |= S, In(e, t && !n), mr(e, 0);
	var r = e.nodes && e.nodes.t;
	if (r !== null) for (let e of r) e.stop();
	Fn(e), e.f ^= S, e.f |= b;
	var i = e.parent;
	i !== null && i.first !== null && Bn(e), e.next = e.prev = e.teardown = e.ctx = e.deps = e.fn = e.nodes = e.ac = e.b = null;
}
function zn(e, t) {
	for (; e !== null;) {
		var n = e === t ? null : /* @__PURE__ */ mn(e);
		e.remove(), e = n;
	}
}
function Bn(e) {
	var t = e.parent, n = e.prev, r = e.next;
	n !== null && (n.next = r), r !== null && (r.prev = n), t !== null && (t.first === e && (t.first = r), t.last === e && (t.last = n));
}
function Vn(e, t, n = !0) {
	var r = [];
	e.f |= 256, Hn(e, r, !0);
	var i = () => {
		n && Rn(e), t && t();
	}, a = r.length;
	if (a > 0) {
		var o = () => --a || i();
		for (var s of r) s.out(o);
	} else i();
}
function Hn(e, t, n) {
	if (!(e.f & 8192)) {
		e.f ^= y;
		var r = e.nodes && e.nodes.t;
		if (r !== null) for (let e of r) (e.is_global || n) && t.push(e);
		for (var i = e.first; i !== null;) {
			var a = i.next;
			if (!(i.f & 64)) {
				var o = !!(i.f & 65536) || !!(i.f & 32) && !!(e.f & 16);
				Hn(i, t, o ? n : !1);
			}
			i = a;
		}
	}
}
function Un(e) {
	e.f &= -257, Wn(e, !0);
}
function Wn(e, t) {
	if (!(e.f & 256) && e.f & 8192) {
		e.f ^= y, e.f & 1024 || (ot(e, _), Lt.ensure().schedule(e));
		for (var n = e.first; n !== null;) {
			var r = n.next, i = !!(n.f & 65536) || !!(n.f & 32);
			Wn(n, i ? t : !1), n = r;
		}
		var a = e.nodes && e.nodes.t;
		if (a !== null) for (let e of a) (e.is_global || t) && e.in();
	}
}
function Gn(e, t) {
	if (e.nodes) for (var n = e.nodes.start, r = e.nodes.end; n !== null;) {
		var i = n === r ? null : /* @__PURE__ */ mn(n);
		t.append(n), n = i;
	}
}
//#endregion
//#region node_modules/svelte/src/internal/client/legacy.js
var Kn = null, qn = !1;
function Jn(e) {
	qn = e;
}
var H = null, Yn = !1;
function Xn(e) {
	H = e;
}
var U = null;
function Zn(e) {
	U = e;
}
var Qn = null;
function $n(e) {
	H !== null && (H.f & 2097152 || H.f & 2) && (Qn ??= /* @__PURE__ */ new Set()).add(e);
}
var er = null, tr = 0, nr = null;
function rr(e) {
	nr = e;
}
var ir = 1, ar = 0, or = ar;
function sr(e) {
	or = e;
}
function cr() {
	return ++ir;
}
function lr(e) {
	var t = e.f;
	if (t & 2048) return !0;
	if (t & 4096) {
		for (var n = e.deps, r = n.length, i = 0; i < r; i++) {
			var a = n[i];
			if (lr(a) && wt(a), a.wv > e.wv) return !0;
		}
		t & 512 && kt === null && ot(e, g);
	}
	return !1;
}
function ur(e, t, n = !0) {
	var r = e.reactions;
	if (r !== null && !(Qn !== null && Qn.has(e))) for (var i = 0; i < r.length; i++) {
		var a = r[i];
		a.f & 2 ? ur(a, t, !1) : t === a && (n ? ot(a, _) : a.f & 1024 && ot(a, v), Ht(a));
	}
}
function dr(e) {
	var t = er, n = tr, r = nr, i = H, a = Qn, o = Je, s = Yn, c = or, l = e.f;
	er = null, tr = 0, nr = null, H = l & 96 ? null : e, Qn = null, Ye(e.ctx), Yn = !1, or = ++ar, e.ac !== null && (ft(() => {
		e.ac.abort(fe);
	}), e.ac = null);
	try {
		e.f |= te;
		var u = e.fn, d = u();
		e.f |= x;
		var f = fr(e);
		if (et() && nr !== null && !Yn && f !== null && !(e.f & 6146)) for (var p = 0; p < nr.length; p++) ur(nr[p], e);
		if (i !== null && i !== e) {
			if (ar++, i.deps !== null) for (let e = 0; e < n; e += 1) i.deps[e].rv = ar;
			if (t !== null) for (let e of t) e.rv = ar;
			nr !== null && (r === null ? r = nr : r.push(...nr));
		}
		return e.f & 8388608 && (e.f ^= re), d;
	} catch (t) {
		return fr(e), yn(t);
	} finally {
		e.f ^= te, er = t, tr = n, nr = r, H = i, Qn = a, Ye(o), Yn = s, or = c;
	}
}
function fr(e) {
	var t = e.deps, n = N?.is_fork;
	if (er !== null) {
		var r;
		if (n || mr(e, tr), t !== null && tr > 0) for (t.length = tr + er.length, r = 0; r < er.length; r++) t[tr + r] = er[r];
		else e.deps = t = er;
		if (wn() && e.f & 512) for (r = tr; r < t.length; r++) (t[r].reactions ??= []).push(e);
	} else !n && t !== null && tr < t.length && (mr(e, tr), t.length = tr);
	return t;
}
function pr(e, r) {
	let i = r.reactions;
	if (i !== null) {
		var a = t.call(i, e);
		if (a !== -1) {
			var o = i.length - 1;
			o === 0 ? i = r.reactions = null : (i[a] = i[o], i.pop());
		}
	}
	if (i === null && r.f & 2 && (er === null || !n.call(er, r))) {
		var s = r;
		s.f & 512 && (s.f ^= 512), s.v !== D && st(s), s.ac !== null && ft(() => {
			s.ac.abort(fe), s.ac = null, ot(s, _);
		}), Tt(s), mr(s, 0);
	}
}
function mr(e, t) {
	var n = e.deps;
	if (n !== null) for (var r = t; r < n.length; r++) pr(e, n[r]);
}
function hr(e) {
	var t = e.f;
	if (!(t & 16384)) {
		ot(e, g);
		var n = U;
		U = e;
		try {
			t & 16777232 ? Ln(e) : In(e), Fn(e);
			var r = dr(e);
			e.teardown = typeof r == "function" ? r : null, e.wv = ir;
		} finally {
			U = n;
		}
	}
}
async function gr() {
	await Promise.resolve(), Rt();
}
function W(e) {
	var t = !!(e.f & 2);
	if (Kn?.add(e), H !== null && !Yn && !(U !== null && U.f & 16384) && (Qn === null || !Qn.has(e))) {
		var r = H.deps;
		if (H.f & 2097152) e.rv < ar && (e.rv = ar, er === null && r !== null && r[tr] === e ? tr++ : er === null ? er = [e] : er.push(e));
		else {
			H.deps ??= [], n.call(H.deps, e) || H.deps.push(e);
			var i = e.reactions;
			i === null ? e.reactions = [H] : n.call(i, H) || i.push(H);
		}
	}
	if (qn && Kt.has(e)) return Kt.get(e);
	if (t) {
		var a = e;
		if (qn) {
			var o = a.v;
			return (!(a.f & 1024) && a.reactions !== null || vr(a)) && (o = Ct(a)), Kt.set(a, o), o;
		}
		var s = !(a.f & 512) && !Yn && H !== null && !!(H.f & 512), c = (a.f & x) === 0;
		lr(a) && (s && (a.f |= 512), wt(a)), s && !c && (Et(a), _r(a));
	}
	if (kt?.has(e)) return kt.get(e);
	if (e.f & 8388608) throw e.v;
	return e.v;
}
function _r(e) {
	if (e.f |= 512, e.deps !== null) for (let r of e.deps) {
		var t = r.reactions;
		t === null ? r.reactions = [e] : n.call(t, e) || t.push(e), r.f & 2 && !(r.f & 512) && (Et(r), _r(r));
	}
}
function vr(e) {
	if (e.v === D) return !0;
	if (e.deps === null) return !1;
	for (let t of e.deps) if (Kt.has(t) || t.f & 2 && vr(t)) return !0;
	return !1;
}
function yr(e) {
	var t = Yn;
	try {
		return Yn = !0, e();
	} finally {
		Yn = t;
	}
}
function br(e) {
	return e.endsWith("capture") && e !== "gotpointercapture" && e !== "lostpointercapture";
}
var xr = [
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
function Sr(e) {
	return xr.includes(e);
}
var Cr = /* @__PURE__ */ "allowfullscreen.async.autofocus.autoplay.checked.controls.default.disabled.formnovalidate.indeterminate.inert.ismap.loop.multiple.muted.nomodule.novalidate.open.playsinline.readonly.required.reversed.seamless.selected.webkitdirectory.defer.disablepictureinpicture.disableremoteplayback".split("."), wr = {
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
function Tr(e) {
	return e = e.toLowerCase(), wr[e] ?? e;
}
[...Cr];
var Er = ["touchstart", "touchmove"];
function Dr(e) {
	return Er.includes(e);
}
//#endregion
//#region node_modules/svelte/src/internal/client/dom/elements/events.js
var Or = Symbol("events"), kr = /* @__PURE__ */ new Set(), Ar = /* @__PURE__ */ new Set();
function jr(e, t, n, r = {}) {
	function i(e) {
		if (r.capture || Ir.call(t, e), !e.cancelBubble) return ft(() => n?.call(this, e));
	}
	return e.startsWith("pointer") || e.startsWith("touch") || e === "wheel" ? (i.__removed = !1, rt(() => {
		i.__removed || t.addEventListener(e, i, r);
	})) : t.addEventListener(e, i, r), i;
}
function Mr(e, t, n, r, i) {
	var a = {
		capture: r,
		passive: i
	}, o = jr(e, t, n, a);
	(t === document.body || t === window || t === document || t instanceof HTMLMediaElement) && Tn(() => {
		o.__removed = !0, t.removeEventListener(e, o, a);
	});
}
function G(e, t, n) {
	(t[Or] ??= {})[e] = n;
}
function Nr(e) {
	for (var t = 0; t < e.length; t++) kr.add(e[t]);
	for (var n of Ar) n(e);
}
var Pr = null, Fr = !1;
function Ir(e) {
	var t = this, n = t.ownerDocument, r = e.type, a = e.composedPath?.() || [], o = a[0] || e.target;
	Pr = e, Fr || (Fr = !0, setTimeout(() => {
		Fr = !1, Pr = null;
	}));
	var s = 0, c = Pr === e && e[Or];
	if (c) {
		var l = a.indexOf(c);
		if (l !== -1 && (t === document || t === window)) {
			e[Or] = t;
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
		Xn(null), Zn(null);
		try {
			for (var p, m = []; o !== null && o !== t;) {
				try {
					var h = o[Or]?.[r];
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
			e[Or] = t, delete e.currentTarget, Xn(d), Zn(f);
		}
	}
}
//#endregion
//#region node_modules/svelte/src/internal/client/dom/reconciler.js
var Lr = globalThis?.window?.trustedTypes && /* @__PURE__ */ globalThis.window.trustedTypes.createPolicy("svelte-trusted-html", { createHTML: (e) => e });
function Rr(e) {
	return Lr?.createHTML(e) ?? e;
}
function zr(e) {
	var t = _n("template");
	return t.innerHTML = Rr(e.replaceAll("<!>", "<!---->")), t.content;
}
//#endregion
//#region node_modules/svelte/src/internal/client/dom/template.js
function Br(e, t) {
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
		if (O) return Br(k, null), k;
		i === void 0 && (i = zr(a ? e : "<!>" + e), n || (i = /* @__PURE__ */ pn(i)));
		var t = r || cn ? document.importNode(i, !0) : i.cloneNode(!0);
		if (n) {
			var o = /* @__PURE__ */ pn(t), s = t.lastChild;
			Br(o, s);
		} else Br(t, t);
		return t;
	};
}
function Vr(e = "") {
	if (!O) {
		var t = fn(e + "");
		return Br(t, t), t;
	}
	var n = k;
	return n.nodeType === 3 ? vn(n) : (n.before(n = fn()), Ce(n)), Br(n, n), n;
}
function Hr() {
	if (O) return Br(k, null), k;
	var e = document.createDocumentFragment(), t = document.createComment(""), n = fn();
	return e.append(t, n), Br(t, n), e;
}
function q(e, t) {
	if (O) {
		var n = U;
		(!(n.f & 32768) || n.nodes.end === null) && (n.nodes.end = k), we();
	} else e !== null && e.before(t);
}
//#endregion
//#region node_modules/svelte/src/reactivity/create-subscriber.js
function Ur(e) {
	let t = 0, n = Jt(0), r;
	return () => {
		wn() && (W(n), jn(() => (t === 0 && (r = yr(() => e(() => tn(n)))), t += 1, () => {
			rt(() => {
				--t, t === 0 && (r?.(), r = void 0, tn(n));
			});
		})));
	};
}
//#endregion
//#region node_modules/svelte/src/internal/client/dom/blocks/boundary.js
var Wr = C | w;
function Gr(e, t, n, r) {
	new Kr(e, t, n, r);
}
var Kr = class {
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
	#m = Ur(() => (this.#p = Jt(this.#l), () => {
		this.#p = null;
	}));
	constructor(e, t, n, r) {
		this.#e = e, this.#n = t, this.#r = (e) => {
			var t = U;
			t.b = this, t.f |= 128, n(e);
		}, this.parent = U.b, this.transform_error = r ?? this.parent?.transform_error ?? ((e) => e), this.#i = Mn(() => {
			if (O) {
				let e = De(this.#t);
				we();
				let t = e === "[!";
				if (e.startsWith("[?")) {
					let t = JSON.parse(e.slice(2));
					this.#g(t);
				} else t ? this.#y() : this.#h();
			} else this.#b();
		}, Wr), O && (this.#e = k);
	}
	#h() {
		try {
			this.#a = Pn(() => this.#r(this.#e));
		} catch (e) {
			this.error(e);
		}
	}
	#g(e) {
		let t = this.#n.failed, { reset: n, invoke_onerror: r } = this.#_(e);
		rt(r), t && (this.#s = Pn(() => {
			t(this.#e, () => e, () => n);
		}));
	}
	#_(e) {
		var t = !1, n = !1;
		let r = () => {
			this.#v() || (t ? xe() : (t = !0, n && He(), this.#s !== null && Vn(this.#s, () => {
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
					bn(e, this.#i && this.#i.parent);
				}
			}
		};
	}
	#v() {
		return (this.#i.f & (b | S)) !== 0;
	}
	#y() {
		let e = this.#n.pending;
		e && (this.is_pending = !0, this.#o = Pn(() => e(this.#e)), rt(() => {
			if (!this.#v()) {
				var e = this.#c = document.createDocumentFragment(), t = fn(), n = !1;
				e.append(t), this.#a = this.#S(() => {
					try {
						return Pn(() => this.#r(t));
					} catch (e) {
						try {
							this.error(e), n = !0;
						} catch (e) {
							bn(e, this.#i.parent);
						}
						return null;
					}
				}), this.#a === null ? (this.#c = null, n && this.#x(N)) : this.#u === 0 && (this.#e.before(e), this.#c = null, Vn(this.#o, () => {
					this.#o = null;
				}), this.#x(N));
			}
		}));
	}
	#b() {
		try {
			if (this.is_pending = this.has_pending_snippet(), this.#u = 0, this.#l = 0, this.#a = Pn(() => {
				this.#r(this.#e);
			}), this.#u > 0) {
				var e = this.#c = document.createDocumentFragment();
				Gn(this.#a, e);
				let t = this.#n.pending;
				this.#o = Pn(() => t(this.#e));
			} else this.#x(N);
		} catch (e) {
			this.error(e);
		}
	}
	#x(e) {
		this.is_pending = !1, e.transfer_reactions(this.#f);
	}
	defer_effect(e) {
		ct(e, this.#f);
	}
	is_rendered() {
		return !this.is_pending && (!this.parent || this.parent.is_rendered());
	}
	has_pending_snippet() {
		return !!this.#n.pending;
	}
	#S(e) {
		var t = U, n = H, r = Je;
		Zn(this.#i), Xn(this.#i), Ye(this.#i.ctx);
		try {
			return Lt.ensure(), e();
		} finally {
			Zn(t), Xn(n), Ye(r);
		}
	}
	#C(e, t) {
		this.has_pending_snippet() ? (this.#u += e, this.#u === 0 && (this.#x(t), this.#o && Vn(this.#o, () => {
			this.#o = null;
		}), this.#c &&= (this.#e.before(this.#c), null))) : this.parent && this.parent.#C(e, t);
	}
	update_pending_count(e, t) {
		this.#C(e, t), this.#l += e, !(!this.#p || this.#d) && (this.#d = !0, rt(() => {
			this.#d = !1, this.#p && Qt(this.#p, this.#l);
		}));
	}
	get_effect_pending() {
		return this.#m(), W(this.#p);
	}
	error(e) {
		if (e === me || !this.#n.onerror && !this.#n.failed) throw e;
		N?.is_fork ? (this.#a && N.skip_effect(this.#a), this.#o && N.skip_effect(this.#o), this.#s && N.skip_effect(this.#s), N.oncommit(() => {
			this.#v() || this.#w(e);
		})) : this.#w(e);
	}
	#w(e) {
		this.#a &&= (Rn(this.#a), null), this.#o &&= (Rn(this.#o), null), this.#s &&= (Rn(this.#s), null), O && (Ce(this.#t), Te(), Ce(Ee()));
		let t = this.#n.failed, n = (e) => {
			if (this.#v()) return;
			let { reset: n, invoke_onerror: r } = this.#_(e);
			r(), t && !this.#v() && (this.#s = this.#S(() => {
				try {
					return Pn(() => {
						var r = U;
						r.b = this, r.f |= 128, t(this.#e, () => e, () => n);
					});
				} catch (e) {
					return bn(e, this.#i.parent), null;
				}
			}));
		};
		rt(() => {
			if (!this.#v()) {
				var t;
				try {
					t = this.transform_error(e);
				} catch (e) {
					bn(e, this.#i && this.#i.parent);
					return;
				}
				typeof t == "object" && t && typeof t.then == "function" ? t.then(n, (e) => bn(e, this.#i && this.#i.parent)) : n(t);
			}
		});
	}
};
function J(e, t) {
	var n = t == null ? "" : typeof t == "object" ? `${t}` : t;
	n !== (e[ue] ??= e.nodeValue) && (e[ue] = n, e.nodeValue = `${n}`);
}
function qr(e, t) {
	return Yr(e, t);
}
var Jr = /* @__PURE__ */ new Map();
function Yr(e, { target: t, anchor: n, props: i = {}, events: a, context: o, intro: s = !0, transformError: c }) {
	dn();
	var l = void 0, u = On(() => {
		var s = n ?? t.appendChild(fn());
		Gr(s, { pending: () => {} }, (t) => {
			j({});
			var n = Je;
			if (o && (n.c = o), a && (i.$$events = a), O && Br(t, null), l = e(t, i) || $e(), O && (U.nodes.end = k, k === null || k.nodeType !== 8 || k.data !== "]")) throw ye(), me;
			Qe();
		}, c);
		var u = /* @__PURE__ */ new Set(), d = (e) => {
			for (var n = 0; n < e.length; n++) {
				var r = e[n];
				if (!u.has(r)) {
					u.add(r);
					var i = Dr(r);
					for (let e of [t, document]) {
						var a = Jr.get(e);
						a === void 0 && (a = /* @__PURE__ */ new Map(), Jr.set(e, a));
						var o = a.get(r);
						o === void 0 ? (e.addEventListener(r, Ir, { passive: i }), a.set(r, 1)) : a.set(r, o + 1);
					}
				}
			}
		};
		return d(r(kr)), Ar.add(d), () => {
			for (var e of u) for (let n of [t, document]) {
				var r = Jr.get(n), i = r.get(e);
				--i == 0 ? (n.removeEventListener(e, Ir), r.delete(e), r.size === 0 && Jr.delete(n)) : r.set(e, i);
			}
			Ar.delete(d), s !== n && s.parentNode?.removeChild(s);
		};
	});
	return Xr.set(l, u), l;
}
var Xr = /* @__PURE__ */ new WeakMap();
function Zr(e, t) {
	let n = Xr.get(e);
	return n ? (Xr.delete(e), n(t)) : Promise.resolve();
}
//#endregion
//#region node_modules/svelte/src/internal/client/dom/blocks/branches.js
var Qr = class {
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
			if (n) Un(n), this.#r.delete(t);
			else {
				var r = this.#n.get(t);
				r && (Un(r.effect), this.#t.set(t, r.effect), this.#n.delete(t), r.fragment.lastChild.remove(), this.anchor.before(r.fragment), n = r.effect);
			}
			for (let [t, n] of this.#e) {
				if (this.#e.delete(t), t === e) break;
				let r = this.#n.get(n);
				r && (Rn(r.effect), this.#n.delete(n));
			}
			for (let [e, r] of this.#t) {
				if (e === t || this.#r.has(e)) continue;
				let i = () => {
					if (Array.from(this.#e.values()).includes(e)) {
						var t = document.createDocumentFragment();
						Gn(r, t), t.append(fn()), this.#n.set(e, {
							effect: r,
							fragment: t
						});
					} else Rn(r);
					this.#r.delete(e), this.#t.delete(e);
				};
				this.#i || !n ? (this.#r.add(e), Vn(r, i, !1)) : i();
			}
		}
	};
	#o = (e) => {
		this.#e.delete(e);
		let t = Array.from(this.#e.values());
		for (let [e, n] of this.#n) t.includes(e) || (Rn(n.effect), this.#n.delete(e));
	};
	ensure(e, t) {
		var n = N, r = gn();
		if (t && !this.#t.has(e) && !this.#n.has(e)) {
			if (r) {
				var i = document.createDocumentFragment(), a = fn();
				i.append(a), this.#n.set(e, {
					effect: Pn(() => t(a)),
					fragment: i
				});
			} else this.#t.set(e, Pn(() => t(this.anchor)));
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
function Y(e, t, n = !1) {
	var r;
	O && (r = k, we());
	var i = new Qr(e), a = n ? C : 0;
	function o(e, t) {
		if (O) {
			var n = De(r);
			if (e !== parseInt(n.substring(1))) {
				var a = Ee();
				Ce(a), i.anchor = a, Se(!1), i.ensure(e, t), Se(!0);
				return;
			}
		}
		i.ensure(e, t);
	}
	Mn(() => {
		var e = !1;
		t((t, n = 0) => {
			e = !0, o(n, t);
		}), e || o(-1, null);
	}, a);
}
//#endregion
//#region node_modules/svelte/src/internal/client/dom/blocks/each.js
function $r(e, t) {
	return t;
}
function ei(e, t, n) {
	for (var i = [], a = t.length, o, s = t.length, c = 0; c < a; c++) {
		let n = t[c];
		Vn(n, () => {
			if (o) {
				if (o.pending.delete(n), o.done.add(n), o.pending.size === 0) {
					var t = e.outrogroups;
					ti(e, r(o.done)), t.delete(o), t.size === 0 && (e.outrogroups = null);
				}
			} else --s;
		}, !1);
	}
	if (s === 0) {
		var l = i.length === 0 && n !== null && e.pending.size === 0;
		if (l) {
			var u = n, d = u.parentNode;
			hn(d), d.append(u), e.items.clear();
		}
		ti(e, t, !l);
	} else o = {
		pending: new Set(t),
		done: /* @__PURE__ */ new Set()
	}, (e.outrogroups ??= /* @__PURE__ */ new Set()).add(o);
}
function ti(e, t, n = !0) {
	var r;
	if (e.pending.size > 0) {
		r = /* @__PURE__ */ new Set();
		for (let t of e.pending.values()) for (let n of t) r.add(e.items.get(n).e);
	}
	for (var i = 0; i < t.length; i++) {
		var a = t[i];
		r?.has(a) ? (a.f |= T, Gn(a, document.createDocumentFragment())) : Rn(t[i], n);
	}
}
var ni;
function X(t, n, i, a, o, s = null) {
	var c = t, l = /* @__PURE__ */ new Map();
	if (n & 4) {
		var u = t;
		c = O ? Ce(/* @__PURE__ */ pn(u)) : u.appendChild(fn());
	}
	O && we();
	var d = null, f = /* @__PURE__ */ xt(() => {
		var t = i();
		return e(t) ? t : t == null ? [] : r(t);
	}), p = /* @__PURE__ */ new Map(), m = !0;
	function h(e) {
		if (!(_.effect.f & 16384)) {
			_.pending.delete(e);
			var t = W(f);
			_.fallback = d, ii(_, t, c, n, a), d !== null && (t.length === 0 ? d.f & 33554432 ? (d.f ^= T, oi(d, null, c)) : Un(d) : Vn(d, () => {
				d = null;
			}));
		}
	}
	function g(e) {
		_.pending.delete(e);
	}
	var _ = {
		effect: Mn(() => {
			var e = W(f), t = e.length;
			let r = !1;
			O && De(c) === "[!" != (t === 0) && (c = Ee(), Ce(c), Se(!1), r = !0);
			for (var u = /* @__PURE__ */ new Set(), _ = N, v = gn(), y = 0; y < t; y += 1) {
				O && k.nodeType === 8 && k.data === "]" && (c = k, r = !0, Se(!1));
				var b = e[y], x = a(b, y), S = m ? null : l.get(x);
				S ? (S.v && Qt(S.v, b), S.i && Qt(S.i, y), v && _.unskip_effect(S.e)) : (S = ai(l, m ? c : ni ??= fn(), b, x, y, o, n, i), m || (S.e.f |= T), l.set(x, S)), u.add(x);
			}
			if (t === 0 && s && !d && (m ? d = Pn(() => s(c)) : (d = Pn(() => s(ni ??= fn())), d.f |= T)), t > u.size && Ne("", "", ""), O && t > 0 && Ce(Ee()), !m) {
				if (p.set(_, u), v) {
					for (let [e, t] of l) u.has(e) || _.skip_effect(t.e);
					_.oncommit(h), _.ondiscard(g);
				} else h(_);
			}
			r && Se(!0), W(f);
		}),
		flags: n,
		items: l,
		pending: p,
		outrogroups: null,
		fallback: d
	};
	m = !1, O && (c = k);
}
function ri(e) {
	for (; e !== null && !(e.f & 32);) e = e.next;
	return e;
}
function ii(e, t, n, i, a) {
	var o = !!(i & 8), s = t.length, c = e.items, l = ri(e.effect.first), u, d = null, f, p = [], m = [], h, g, _, v;
	if (o) for (v = 0; v < s; v += 1) h = t[v], g = a(h, v), _ = c.get(g).e, _.f & 33554432 || (_.nodes?.a?.measure(), (f ??= /* @__PURE__ */ new Set()).add(_));
	for (v = 0; v < s; v += 1) {
		if (h = t[v], g = a(h, v), _ = c.get(g).e, e.outrogroups !== null) for (let t of e.outrogroups) t.pending.delete(_), t.done.delete(_);
		if (_.f & 8192 && (Un(_), o && (_.nodes?.a?.unfix(), (f ??= /* @__PURE__ */ new Set()).delete(_))), _.f & 33554432) {
			if (_.f ^= T, _ === l) oi(_, null, n);
			else {
				var y = d ? d.next : l;
				_ === e.effect.last && (e.effect.last = _.prev), _.prev && (_.prev.next = _.next), _.next && (_.next.prev = _.prev), si(e, d, _), si(e, _, y), oi(_, y, n), d = _, p = [], m = [], l = ri(d.next);
				continue;
			}
		}
		if (_ !== l) {
			if (u !== void 0 && u.has(_)) {
				if (p.length < m.length) {
					var b = m[0], x;
					d = b.prev;
					var S = p[0], C = p[p.length - 1];
					for (x = 0; x < p.length; x += 1) oi(p[x], b, n);
					for (x = 0; x < m.length; x += 1) u.delete(m[x]);
					si(e, S.prev, C.next), si(e, d, S), si(e, C, b), l = b, d = C, --v, p = [], m = [];
				} else u.delete(_), oi(_, l, n), si(e, _.prev, _.next), si(e, _, d === null ? e.effect.first : d.next), si(e, d, _), d = _;
				continue;
			}
			for (p = [], m = []; l !== null && l !== _;) (u ??= /* @__PURE__ */ new Set()).add(l), m.push(l), l = ri(l.next);
			if (l === null) continue;
		}
		_.f & 33554432 || p.push(_), d = _, l = ri(_.next);
	}
	if (e.outrogroups !== null) {
		for (let t of e.outrogroups) t.pending.size === 0 && (ti(e, r(t.done)), e.outrogroups?.delete(t));
		e.outrogroups.size === 0 && (e.outrogroups = null);
	}
	if (l !== null || u !== void 0) {
		var w = [];
		if (u !== void 0) for (_ of u) _.f & 8192 || w.push(_);
		for (; l !== null;) !(l.f & 8192) && l !== e.fallback && w.push(l), l = ri(l.next);
		var ee = w.length;
		if (ee > 0) {
			var te = i & 4 && s === 0 ? n : null;
			if (o) {
				for (v = 0; v < ee; v += 1) w[v].nodes?.a?.measure();
				for (v = 0; v < ee; v += 1) w[v].nodes?.a?.fix();
			}
			ei(e, w, te);
		}
	}
	o && rt(() => {
		if (f !== void 0) for (_ of f) _.nodes?.a?.apply();
	});
}
function ai(e, t, n, r, i, a, o, s) {
	var c = o & 1 ? o & 16 ? Jt(n) : /* @__PURE__ */ Yt(n, !1, !1) : null, l = o & 2 ? Jt(i) : null;
	return {
		v: c,
		i: l,
		e: Pn(() => (a(t, c ?? n, l ?? i, s), () => {
			e.delete(r);
		}))
	};
}
function oi(e, t, n) {
	if (e.nodes) for (var r = e.nodes.start, i = e.nodes.end, a = t && !(t.f & 33554432) ? t.nodes.start : n; r !== null;) {
		var o = /* @__PURE__ */ mn(r);
		if (a.before(r), r === i) return;
		r = o;
	}
}
function si(e, t, n) {
	t === null ? e.effect.first = n : t.next = n, n === null ? e.effect.last = t : n.prev = t;
}
function ci(e, t, n = !1, r = !1, i = !1, a = !1) {
	var o = e, s = "";
	if (n) {
		var c = e;
		O && (o = Ce(/* @__PURE__ */ pn(c)));
	}
	V(() => {
		var e = U;
		if (s === (s = t() ?? "")) O && we();
		else if (n && !O) e.nodes = null, c.innerHTML = s, s !== "" && Br(/* @__PURE__ */ pn(c), c.lastChild);
		else if (e.nodes !== null && (zn(e.nodes.start, e.nodes.end), e.nodes = null), s !== "") {
			if (O) {
				for (var a = k.data, l = we(), u = l; l !== null && (l.nodeType !== 8 || l.data !== "");) u = l, l = /* @__PURE__ */ mn(l);
				if (l === null) throw ye(), me;
				Br(k, u), o = Ce(l);
			} else {
				var d = _n(r ? "svg" : i ? "math" : "template", r ? ge : i ? _e : void 0);
				d.innerHTML = s;
				var f = r || i ? d : d.content;
				if (Br(/* @__PURE__ */ pn(f), f.lastChild), r || i) for (; /* @__PURE__ */ pn(f);) o.before(/* @__PURE__ */ pn(f));
				else o.before(f);
			}
		}
	});
}
//#endregion
//#region node_modules/svelte/src/internal/client/dom/blocks/snippet.js
function li(e, t, ...n) {
	var r = new Qr(e);
	Mn(() => {
		let e = t() ?? null;
		r.ensure(e, e && ((t) => e(t, ...n)));
	}, C);
}
//#endregion
//#region node_modules/svelte/src/internal/client/dom/blocks/svelte-component.js
function ui(e, t, n) {
	var r;
	O && (r = k, we());
	var i = new Qr(e);
	Mn(() => {
		var e = t() ?? null;
		if (O && De(r) === "[" != (e !== null)) {
			var a = Ee();
			Ce(a), i.anchor = a, Se(!1), i.ensure(e, e && ((t) => n(t, e))), Se(!0);
		} else i.ensure(e, e && ((t) => n(t, e)));
	}, C);
}
//#endregion
//#region node_modules/svelte/src/internal/client/dom/elements/attachments.js
function di(e, t) {
	var n = void 0, r;
	Nn(() => {
		n !== (n = t()) && (r &&= (Rn(r), null), n && (r = Pn(() => {
			kn(() => n(e));
		})));
	});
}
//#endregion
//#region node_modules/clsx/dist/clsx.mjs
function fi(e) {
	var t, n, r = "";
	if (typeof e == "string" || typeof e == "number") r += e;
	else if (typeof e == "object") {
		if (Array.isArray(e)) {
			var i = e.length;
			for (t = 0; t < i; t++) e[t] && (n = fi(e[t])) && (r && (r += " "), r += n);
		} else for (n in e) e[n] && (r && (r += " "), r += n);
	}
	return r;
}
function pi() {
	for (var e, t, n = 0, r = "", i = arguments.length; n < i; n++) (e = arguments[n]) && (t = fi(e)) && (r && (r += " "), r += t);
	return r;
}
//#endregion
//#region node_modules/svelte/src/internal/shared/attributes.js
function mi(e) {
	return typeof e == "object" ? pi(e) : e ?? "";
}
var hi = [..." 	\n\r\f\xA0\v﻿"];
function gi(e, t, n) {
	var r = e == null ? "" : "" + e;
	if (t && (r = r ? r + " " + t : t), n) {
		for (var i of Object.keys(n)) if (n[i]) r = r ? r + " " + i : i;
		else if (r.length) for (var a = i.length, o = 0; (o = r.indexOf(i, o)) >= 0;) {
			var s = o + a;
			(o === 0 || hi.includes(r[o - 1])) && (s === r.length || hi.includes(r[s])) ? r = (o === 0 ? "" : r.substring(0, o)) + r.substring(s + 1) : o = s;
		}
	}
	return r === "" ? null : r;
}
function _i(e, t = !1) {
	var n = t ? " !important;" : ";", r = "";
	for (var i of Object.keys(e)) {
		var a = e[i];
		a != null && a !== "" && (r += " " + i + ": " + a + n);
	}
	return r;
}
function vi(e) {
	return e[0] !== "-" || e[1] !== "-" ? e.toLowerCase() : e;
}
function yi(e, t) {
	if (t) {
		var n = "", r, i;
		if (Array.isArray(t) ? (r = t[0], i = t[1]) : r = t, e) {
			e = String(e).replaceAll(/\/\*.*?\*\//g, "").trim();
			var a = !1, o = 0, s = !1, c = [];
			r && c.push(...Object.keys(r).map(vi)), i && c.push(...Object.keys(i).map(vi));
			var l = 0, u = -1;
			let t = e.length;
			for (var d = 0; d < t; d++) {
				var f = e[d];
				if (s ? f === "/" && e[d - 1] === "*" && (s = !1) : a ? a === f && (a = !1) : f === "/" && e[d + 1] === "*" ? s = !0 : f === "\"" || f === "'" ? a = f : f === "(" ? o++ : f === ")" && o--, !s && a === !1 && o === 0) {
					if (f === ":" && u === -1) u = d;
					else if (f === ";" || d === t - 1) {
						if (u !== -1) {
							var p = vi(e.substring(l, u).trim());
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
		return r && (n += _i(r)), i && (n += _i(i, !0)), n = n.trim(), n === "" ? null : n;
	}
	return e == null ? null : String(e);
}
//#endregion
//#region node_modules/svelte/src/internal/client/dom/elements/class.js
function bi(e, t, n, r, i, a) {
	var o = e[ce];
	if (O || o !== n || o === void 0) {
		var s = gi(n, r, a);
		(!O || s !== e.getAttribute("class")) && (s == null ? e.removeAttribute("class") : t ? e.className = s : e.setAttribute("class", s)), e[ce] = n;
	} else if (a && i !== a) for (var c in a) {
		var l = !!a[c];
		(i == null || l !== !!i[c]) && e.classList.toggle(c, l);
	}
	return a;
}
//#endregion
//#region node_modules/svelte/src/internal/client/dom/elements/style.js
function xi(e, t = {}, n, r) {
	for (var i in n) {
		var a = n[i];
		t[i] !== a && (n[i] == null ? e.style.removeProperty(i) : e.style.setProperty(i, a, r));
	}
}
function Z(e, t, n, r) {
	var i = e[le];
	if (O || i !== t) {
		var a = yi(t, r);
		(!O || a !== e.getAttribute("style")) && (a == null ? e.removeAttribute("style") : e.style.cssText = a), e[le] = t;
	} else r && (Array.isArray(r) ? (xi(e, n?.[0], r[0]), xi(e, n?.[1], r[1], "important")) : xi(e, n, r));
	return r;
}
//#endregion
//#region node_modules/svelte/src/internal/client/dom/elements/bindings/select.js
function Si(e, t) {
	t ? e.hasAttribute("selected") || e.setAttribute("selected", "") : e.removeAttribute("selected");
}
function Ci(e, t) {
	var n = !("__defaultValue" in e);
	(n || e.__defaultValue !== t) && (e.__defaultValue = t, wi(e, !n || "__value" in e));
}
function wi(t, n) {
	var r = t.__defaultValue, i = t.multiple, a = i ? r ?? [] : null;
	if (!i || e(a)) {
		var o = t.selectedIndex, s = n && i ? new Set(t.selectedOptions) : null;
		for (var c of t.options) {
			var l = Oi(c);
			Si(c, i ? a.includes(l) : on(l, r));
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
function Ti(t, n, r = !1) {
	if (t.multiple) {
		if (n == null) return;
		if (!e(n)) return be();
		for (var i of t.options) i.selected = n.includes(Oi(i));
	} else {
		for (i of t.options) if (on(Oi(i), n)) {
			i.selected = !0;
			return;
		}
		(!r || n !== void 0) && (t.selectedIndex = -1);
	}
}
function Ei(e) {
	var t = new MutationObserver((t) => {
		t.every(ki) || ("__defaultValue" in e && wi(e, !1), "__value" in e && Ti(e, e.__value));
	});
	t.observe(e, {
		childList: !0,
		subtree: !0,
		attributes: !0,
		attributeFilter: ["value"]
	}), Tn(() => {
		t.disconnect();
	});
}
function Di(e, t, n = t) {
	var r = /* @__PURE__ */ new WeakSet(), i = !0;
	pt(e, "change", (t) => {
		var i = t ? "[selected]" : ":checked", a;
		if (e.multiple) a = [].map.call(e.querySelectorAll(i), Oi);
		else {
			var o = e.querySelector(i) ?? e.querySelector("option:not([disabled])");
			a = o && Oi(o);
		}
		n(a), e.__value = a, N !== null && r.add(N);
	}), kn(() => {
		var a = t();
		if (e === document.activeElement) {
			var o = N;
			if (r.has(o)) return;
		}
		if (Ti(e, a, i), i && a === void 0) {
			var s = e.querySelector(":checked");
			s !== null && (a = Oi(s), n(a));
		}
		e.__value = a, i = !1;
	});
}
function Oi(e) {
	return "__value" in e ? e.__value : e.value;
}
function ki(e) {
	if (e.target.closest("selectedcontent") !== null) return !0;
	if (e.type === "childList") {
		var t = [...e.addedNodes, ...e.removedNodes];
		return t.length > 0 && t.every((e) => e.nodeName === "SELECTEDCONTENT");
	}
	return !1;
}
//#endregion
//#region node_modules/svelte/src/internal/client/dom/elements/attributes.js
var Ai = Symbol("class"), ji = Symbol("style"), Mi = Symbol("is custom element"), Ni = Symbol("is html"), Pi = pe ? "link" : "LINK", Fi = pe ? "input" : "INPUT", Ii = pe ? "option" : "OPTION", Li = pe ? "select" : "SELECT", Ri = pe ? "progress" : "PROGRESS";
function zi(e) {
	if (O) {
		var t = !1, n = () => {
			if (!t) {
				if (t = !0, e.hasAttribute("value")) {
					var n = e.value;
					Q(e, "value", null), e.value = n;
				}
				if (e.hasAttribute("checked")) {
					var r = e.checked;
					Q(e, "checked", null), e.checked = r;
				}
			}
		};
		e[de] = n, rt(n), dt();
	}
}
function Bi(e, t) {
	var n = Wi(e);
	n.value !== (n.value = t ?? void 0) && (e.value !== t || t === 0 && e.nodeName === Ri) && (e.value = t ?? "");
}
function Vi(e, t) {
	var n = Wi(e);
	n.checked !== (n.checked = t ?? void 0) && (e.checked = t);
}
function Q(e, t, n, r) {
	var i = Wi(e);
	if (!(O && (i[t] = e.getAttribute(t), t === "src" || t === "srcset" || t === "href" && e.nodeName === Pi))) {
		var a = i[t];
		a !== (i[t] = n) && (t === "loading" && (e[oe] = n), n == null ? e.removeAttribute(t) : typeof n != "string" && Ki(e).has(t) ? e[t] = n : (!O || typeof n != "number" && typeof n != "boolean" || a !== String(n)) && e.setAttribute(t, n));
	}
}
function Hi(e, t, n, r, i = !1, a = !1) {
	O && i && e.nodeName === Fi && ("defaultValue" in n || "defaultChecked" in n || zi(e));
	var o = Wi(e), s = o[Mi], c = !o[Ni];
	let l = O && s;
	l && Se(!1);
	var u = t || {}, d = e.nodeName === Ii, f = e.nodeName === Li;
	try {
		for (var p in t) !(p in n) && p[0] + p[1] !== "$$" && (n[p] = null);
		n.class ? n.class = mi(n.class) : (r || n[Ai]) && (n.class = null), n[ji] && (n.style ??= null);
		var m = Ki(e);
		if (e.nodeName === Fi && "type" in n && ("value" in n || "__value" in n)) {
			var h = n.type;
			(h !== u.type || h === void 0 && e.hasAttribute("type")) && (u.type = h, Q(e, "type", h, a));
		}
		for (let i in n) {
			let l = n[i];
			if (d && i === "value" && l == null) e.value = e.__value = "", u[i] = l;
			else if (i === "class") bi(e, e.namespaceURI === "http://www.w3.org/1999/xhtml", l, r, t?.[Ai], n[Ai]), u[i] = l, u[Ai] = n[Ai];
			else if (i === "style") Z(e, l, t?.[ji], n[ji]), u[i] = l, u[ji] = n[ji];
			else {
				var g = u[i];
				if (l !== g || l === void 0 && e.hasAttribute(i)) {
					u[i] = l;
					var _ = i[0] + i[1];
					if (_ !== "$$") {
						if (_ === "on") {
							let t = {}, n = "$$" + i, r = i.slice(2);
							var v = Sr(r);
							if (br(r) && (r = r.slice(0, -7), t.capture = !0), !v && g) {
								if (l != null) continue;
								e.removeEventListener(r, u[n], t), u[n] = null;
							}
							if (v) G(r, e, l), Nr([r]);
							else if (l != null) {
								function a(e) {
									u[i].call(this, e);
								}
								u[n] = jr(r, e, a, t);
							}
						} else if (i === "style") Q(e, i, l);
						else if (i === "autofocus") lt(e, !!l);
						else if (!s && (i === "__value" || i === "value" && l != null)) e.__value = l, (g == null || e.value !== l || l === 0 && e.nodeName === Ri) && (e.value = l);
						else if (i === "selected" && d) Si(e, l);
						else {
							var y = i;
							c || (y = Tr(y));
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
							} else b || (s || typeof l != "string") && m.has(y) ? (e[y] = l, y in o && (o[y] = D)) : typeof l != "function" && Q(e, y, l, a);
						}
					}
				}
			}
		}
	} finally {
		l && Se(!0);
	}
	return u;
}
function Ui(e, t, n = [], r = [], i = [], a, o = !1, s = !1) {
	mt(i, n, r, (n) => {
		var r = void 0, i = {}, c = e.nodeName === Li, l = !1;
		if (Nn(() => {
			var u = t(...n.map(W)), d = Hi(e, r, u, a, o, s);
			if (l && c) {
				var f = e;
				"defaultValue" in u && Ci(f, u.defaultValue), "value" in u && Ti(f, u.value);
			}
			for (let e of Object.getOwnPropertySymbols(i)) u[e] || Rn(i[e]);
			for (let t of Object.getOwnPropertySymbols(u)) {
				var p = u[t];
				t.description === "@attach" && (!r || p !== r[t]) && (i[t] && Rn(i[t]), i[t] = Pn(() => di(e, () => p))), d[t] = p;
			}
			r = d;
		}), c) {
			var u = e;
			kn(() => {
				var e = r;
				"defaultValue" in e && Ci(u, e.defaultValue), Ti(u, e.value, !0), Ei(u);
			});
		}
		l = !0;
	});
}
function Wi(e) {
	return e[se] ??= {
		[Mi]: e.nodeName.includes("-"),
		[Ni]: e.namespaceURI === he
	};
}
var Gi = /* @__PURE__ */ new Map();
function Ki(e) {
	var t = e.getAttribute("is") || e.nodeName, n = Gi.get(t);
	if (n) return n;
	Gi.set(t, n = /* @__PURE__ */ new Set());
	for (var r, i = e, a = Element.prototype; a !== i;) {
		for (var s in r = o(i), r) r[s].set && s !== "innerHTML" && s !== "textContent" && s !== "innerText" && n.add(s);
		i = l(i);
	}
	return n;
}
//#endregion
//#region node_modules/svelte/src/internal/client/dom/elements/bindings/input.js
function qi(e, t, n = t) {
	var r = /* @__PURE__ */ new WeakSet();
	pt(e, "input", async (i) => {
		var a = i ? e.defaultValue : e.value;
		if (a = Yi(e) ? Xi(a) : a, n(a), N !== null && r.add(N), await gr(), a !== (a = t())) {
			var o = e.selectionStart, s = e.selectionEnd, c = e.value.length;
			if (e.value = a ?? "", s !== null) {
				var l = e.value.length;
				o === s && s === c && l > c ? (e.selectionStart = l, e.selectionEnd = l) : (e.selectionStart = o, e.selectionEnd = Math.min(s, l));
			}
		}
	}), (O && e.defaultValue !== e.value || yr(t) == null && e.value) && (n(Yi(e) ? Xi(e.value) : e.value), N !== null && r.add(N)), jn(() => {
		var n = t();
		if (e === document.activeElement) {
			var i = N;
			if (r.has(i)) return;
		}
		Yi(e) && n === Xi(e.value) || (e.type !== "date" || n || e.value) && n !== e.value && (e.value = n ?? "");
	});
}
function Ji(e, t, n = t) {
	pt(e, "change", (t) => {
		n(t ? e.defaultChecked : e.checked);
	}), (O && e.defaultChecked !== e.checked || yr(t) == null) && n(e.checked), jn(() => {
		e.checked = !!t();
	});
}
function Yi(e) {
	var t = e.type;
	return t === "number" || t === "range";
}
function Xi(e) {
	return e === "" ? null : +e;
}
var Zi = /* @__PURE__ */ new class e {
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
function Qi(e, t, n) {
	var r = Zi.observe(e, () => n(e[t]));
	kn(() => (yr(() => n(e[t])), r));
}
//#endregion
//#region node_modules/svelte/src/internal/client/dom/elements/bindings/this.js
function $i(e, t) {
	return e === t || e?.[E] === t;
}
function ea(e = $e(), t, n, r) {
	var i = Je.r, a = U;
	return kn(() => {
		var o, s;
		return jn(() => {
			o = s, s = r?.() || [], yr(() => {
				$i(n(...s), e) || (t(e, ...s), o && $i(n(...o), e) && t(null, ...o));
			});
		}), () => {
			let r = a;
			for (; r !== i && r.parent !== null && r.parent.f & 33554432;) r = r.parent;
			let o = () => {
				s && $i(n(...s), e) && t(null, ...s);
			}, c = r.teardown;
			r.teardown = () => {
				o(), c?.();
			};
		};
	}), e;
}
//#endregion
//#region node_modules/svelte/src/internal/client/reactivity/store.js
var ta = !1;
function na(e) {
	var t = ta;
	try {
		return ta = !1, [e(), ta];
	} finally {
		ta = t;
	}
}
//#endregion
//#region node_modules/svelte/src/internal/client/reactivity/props.js
function ra(e, t, n, r) {
	var i = !0, o = !!(n & 8), s = !!(n & 16), c = r, l = !0, u = void 0, d = () => s && i ? (u ??= /* @__PURE__ */ vt(r), W(u)) : (l && (l = !1, c = s ? yr(r) : r), c);
	let f;
	if (o) {
		var p = E in e || ae in e;
		f = a(e, t)?.set ?? (p && t in e ? (n) => e[t] = n : void 0);
	}
	var m, h = !1;
	o ? [m, h] = na(() => e[t]) : m = e[t], m === void 0 && r !== void 0 && (m = d(), f && (i && Re(t), f(m)));
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
	var v = !1, y = (n & 1 ? vt : xt)(() => (v = !1, g()));
	o && W(y);
	var b = U;
	return (function(e, t) {
		if (arguments.length > 0) {
			let n = t ? W(y) : i && o ? rn(e) : e;
			return F(y, n), v = !0, c !== void 0 && (c = n), e;
		}
		return qn && v || b.f & 16384 ? y.v : W(y);
	});
}
//#endregion
//#region node_modules/svelte/src/internal/disclose-version.js
typeof window < "u" && ((window.__svelte ??= {}).v ??= /* @__PURE__ */ new Set()).add("5");
//#endregion
//#region src/draw/theme.ts
var ia = {
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
}, aa = "ui-sans-serif, system-ui, -apple-system, \"Segoe UI\", Roboto, \"Noto Sans\", sans-serif";
function oa(e, t = null) {
	return e === "system" ? (t && sa(t)) ?? matchMedia("(prefers-color-scheme: dark)").matches : e === "dark";
}
function sa(e) {
	let t = e;
	for (; t;) {
		let [e, n, r, i] = ca(getComputedStyle(t).backgroundColor);
		if (i > 127) return .2126 * e + .7152 * n + .0722 * r < 110;
		let a = t.getRootNode();
		t = t.assignedSlot ?? t.parentElement ?? (a instanceof ShadowRoot ? a.host : null);
	}
	return null;
}
function ca(e) {
	let t = document.createElement("canvas");
	t.width = t.height = 1;
	let n = t.getContext("2d");
	return n.fillStyle = e, n.fillRect(0, 0, 1, 1), n.getImageData(0, 0, 1, 1).data;
}
function la(e) {
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
function ua(e, t) {
	e.lineCap = "butt";
	for (let n = 0; n < t.length; n++) {
		let r = t[n];
		switch (r.type) {
			case "line":
				n = pa(e, t, n);
				break;
			case "box":
				e.globalAlpha = r.alpha, e.fillStyle = r.colour, e.fillRect(r.x, r.y, r.width, r.height);
				break;
			case "words":
				ha(e, r);
				break;
			case "raster": e.globalAlpha = r.alpha ?? 1, e.imageSmoothingEnabled = !1, e.drawImage(r.source, r.x, r.y, r.width, r.height);
		}
	}
	e.globalAlpha = 1;
}
var da = 24, fa = 400;
function pa(e, t, n) {
	let r = n;
	for (; r < t.length && t[r].type === "line";) r++;
	let i = t.slice(n, r);
	if (i.length < fa) i.forEach((t) => ma(e, t, [t]));
	else {
		let t = /* @__PURE__ */ new Map();
		for (let e of i) {
			let n = `${Math.ceil(e.alpha * da)} ${e.colour}`, r = t.get(n);
			r ? r.push(e) : t.set(n, [e]);
		}
		for (let n of t.values()) ma(e, n[n.length >> 1], n);
	}
	return r - 1;
}
function ma(e, { colour: t, alpha: n, width: r }, i) {
	e.globalAlpha = n, e.strokeStyle = t, e.lineWidth = r, e.beginPath();
	for (let { from: t, to: n, bend: r } of i) e.moveTo(...t), r ? e.bezierCurveTo(...ga(t, n, r), ...n) : e.lineTo(...n);
	e.stroke();
}
function ha(e, t) {
	e.globalAlpha = 1, e.fillStyle = t.colour, e.font = `${t.bold ? "600 " : ""}${t.size}px ${aa}`, e.textAlign = t.anchor === "middle" ? "center" : t.anchor === "end" ? "right" : "left", e.textBaseline = "middle", e.direction = t.direction ?? "ltr", e.save(), e.translate(t.x, t.y), t.turn && e.rotate(t.turn * Math.PI / 180), e.fillText(t.text, 0, 0), e.restore();
}
function ga(e, t, n) {
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
function _a({ width: e, height: t, marks: n }, r) {
	let i = va(n).join("\n");
	return `<svg xmlns="http://www.w3.org/2000/svg" width="${Sa(e)}" height="${Sa(t)}" viewBox="0 0 ${Sa(e)} ${Sa(t)}" font-family="${Ca(aa)}">
<rect width="100%" height="100%" fill="${r}"/>
${i}
</svg>
`;
}
function va(e) {
	let t = [];
	for (let n = 0; n < e.length; n++) {
		let r = e[n];
		if (r.type !== "line") {
			t.push(xa(r));
			continue;
		}
		let i = ya(r), a = [ba(r)];
		for (let t = e[n + 1]; t?.type === "line" && ya(t) === i; t = e[n + 1]) a.push(ba(t)), n++;
		t.push(`<path d="${a.join("")}" ${i}/>`);
	}
	return t;
}
var ya = ({ colour: e, alpha: t, width: n }) => `fill="none" stroke="${e}" stroke-opacity="${Sa(t, 50)}" stroke-width="${Sa(n, 10)}"`;
function ba({ from: e, to: t, bend: n }) {
	let r = (e) => e.map((e) => Sa(e, 10)).join(" ");
	return `M${r(e)}${n ? `C${r(ga(e, t, n))} ${r(t)}` : `L${r(t)}`}`;
}
function xa(e) {
	switch (e.type) {
		case "box": return `<rect x="${Sa(e.x)}" y="${Sa(e.y)}" width="${Sa(e.width)}" height="${Sa(e.height)}" fill="${e.colour}" fill-opacity="${Sa(e.alpha)}"/>`;
		case "words": {
			let t = e.turn ? ` transform="rotate(${e.turn} ${Sa(e.x)} ${Sa(e.y)})"` : "", n = e.bold ? " font-weight=\"600\"" : "";
			return `<text x="${Sa(e.x)}" y="${Sa(e.y)}" font-size="${e.size}" fill="${e.colour}" text-anchor="${e.anchor}" dominant-baseline="central"${n}${t}>${Ca(e.text)}</text>`;
		}
		case "raster": return `<image x="${Sa(e.x)}" y="${Sa(e.y)}" width="${Sa(e.width)}" height="${Sa(e.height)}" preserveAspectRatio="none" style="image-rendering:pixelated" href="${e.source.toDataURL("image/png")}"/>`;
	}
}
var Sa = (e, t = 1e3) => Math.round(e * t) / t;
function Ca(e) {
	return e.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "�").replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
}
function wa(e, t, n) {
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
function Ta(e, t = 28) {
	let n = [...e];
	return n.length > t ? n.slice(0, t - 1).join("") + "…" : e;
}
//#endregion
//#region src/core/payload.ts
function Ea(e) {
	let t = atob(e.trim()), n = new Uint8Array(t.length);
	for (let e = 0; e < t.length; e++) n[e] = t.charCodeAt(e);
	return n;
}
async function Da(e) {
	let t = new Blob([e]).stream().pipeThrough(new DecompressionStream("deflate"));
	return new Response(t).arrayBuffer();
}
function Oa(e, t) {
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
var ka = Float32Array.from({ length: 256 }, (e, t) => (t / 255) ** 2), Aa = Float32Array.from({ length: 256 }, (e, t) => Math.sign(t - 128) * ((t - 128) / 127) ** 2), ja = .05, Ma = (e, t) => e < .05 * t ? t : e, Na = class {
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
		this.queries = o, this.keys = r, this.hasRows = c >= 0, this.width = this.hasRows ? s : 0, this.scale = t.scale[c] ?? 0, this.origin = c * o, this.bytes = Oa(e, t.weights), this.signed = t.weights.type === "i8", this.columns = t.columns ? Oa(e, t.columns) : null, this.tops = t.tops ? Oa(e, t.tops) : null, this.rests = t.rest ? Oa(e, t.rest) : null, this.norms = i && t.value_norms ? Pa(e, t, n, r) : null, this.withoutFirst = a;
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
		let n = (this.origin + e) * this.width, r = this.rowScale(e), { bytes: i, columns: a, signed: o } = this;
		for (let e = 0; e < this.width; e++) {
			let s = i[n + e];
			s !== 0 && t(a ? a[n + e] : e, (o ? Aa[s + 128] : ka[s]) * r);
		}
	}
	rowScale(e) {
		return this.tops ? this.scale * (this.tops[this.origin + e] / 65535) ** 2 : this.scale;
	}
	sums(e) {
		let { norms: t } = this, [n, r] = [0, this.storedRest(e) * (t ? t[this.keys] : 1)];
		return this.stored(e, (e, i) => {
			let a = i * (t ? t[e] : 1);
			e === 0 ? n += a : r += a;
		}), {
			whole: n + r || 1,
			left: r
		};
	}
	total(e) {
		let { whole: t, left: n } = this.sums(e);
		return this.withoutFirst ? Ma(n, t) : t;
	}
	first(e) {
		let { whole: t, left: n } = this.sums(e);
		return this.hasRows ? (t - n) / t : 0;
	}
	sum(e) {
		if (!this.withoutFirst || !this.hasRows) return 1;
		let { whole: t, left: n } = this.sums(e);
		return n / Ma(n, t);
	}
	storedRest(e) {
		return this.rests ? ka[this.rests[this.origin + e]] : 0;
	}
	rest(e) {
		if (!this.hasRows) return 1;
		let t = this.storedRest(e);
		return !this.norms && !this.withoutFirst ? t : t * (this.norms ? this.norms[this.keys] : 1) / this.total(e);
	}
	bound(e) {
		let t = Infinity, n = 0;
		this.stored(e, (e, r) => {
			t = Math.min(t, Math.abs(r)), n++;
		});
		let r = this.rowScale(e) * (.5 / (this.signed ? 127 : 255)) ** 2, i = this.sparse && n === this.width ? Math.min(t, this.storedRest(e)) : r;
		return !this.norms && !this.withoutFirst ? i : i * (this.norms?.reduce((e, t) => Math.max(e, t)) ?? 1) / this.total(e);
	}
	row(e) {
		let t = new Float32Array(this.keys);
		return this.entries(e, (e, n) => t[e] = n), t;
	}
};
function Pa(e, t, n, r) {
	let i = t.heads.indexOf(n), { values: a, scale: o } = t.value_norms, s = Oa(e, a), c = new Float32Array(r + 1);
	for (let e = 0; e < r; e++) c[e] = s[i * r + e] / 255 * o[i], c[r] += c[e] / r;
	return c;
}
var Fa = class {
	withoutFirst;
	size;
	rows;
	columns;
	scale;
	bytes;
	firsts;
	index;
	constructor(e, t, n, r = !1) {
		this.withoutFirst = r, this.size = t.size, [, this.rows, this.columns] = t.shares.shape, this.scale = t.scale[n], this.index = n, this.bytes = Oa(e, t.shares), this.firsts = t.first ? Oa(e, t.first) : null;
	}
	share(e, t) {
		let { withoutFirst: n } = this, r = ka[this.bytes[(this.index * this.rows + e) * this.columns + t]] * this.scale;
		return n ? r / Ma(1 - this.first(e), 1) : t === 0 ? r + this.first(e) : r;
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
function Ia(e, t, n, r, i, a = {}) {
	let o = n.layers.find((e) => e.layer === r);
	return o?.heads.includes(i) ? new Na(t, o, i, e, a) : null;
}
function La(e, t, n, r, i = !1) {
	let a = t.layers.find((e) => e.layer === n);
	return a?.tiles ? new Fa(e, a.tiles, a.heads.indexOf(r), i) : null;
}
//#endregion
//#region src/core/strength.ts
var Ra = [
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
], za = .01, Ba = 4e3, Va = 12e3;
function Ha(e, t) {
	let n = [], r = e.rows.length - 1, i = t ? Math.max(1, Math.floor(r / 512)) : 1;
	for (let t = 0; t < r; t += i) {
		let r = 0;
		for (let n = e.rows[t]; n < e.rows[t + 1]; n++) r = Math.max(r, Math.abs(e.weight[n]));
		n.push(r);
	}
	return n.sort((e, t) => e - t), (t ? n[Math.floor((n.length - 1) * .9)] : n.at(-1)) || 1;
}
function Ua(e, t = 1) {
	let n = Ra.filter((e) => e >= za), r = Array(n.length).fill(0);
	for (let { weight: i } of e) for (let e of i) for (let i = 0; i < n.length && Math.abs(e) >= n[i] * t; i++) r[i]++;
	let i = r.findIndex((e) => e <= Ba);
	return n[i < 0 ? n.length - 1 : i] * t;
}
function Wa(e, t, n = Va) {
	let r = 0;
	for (let { weight: n } of e) for (let e of n) Math.abs(e) >= t && r++;
	if (r <= n) return t;
	let i = new Float32Array(r), a = 0;
	for (let { weight: n } of e) for (let e of n) Math.abs(e) >= t && (i[a++] = Math.abs(e));
	return i.sort(), i[r - n];
}
function Ga(e) {
	let t = new Int32Array(e.rows.length - 1).fill(-1);
	for (let n = 0; n < t.length; n++) for (let r = e.rows[n]; r < e.rows[n + 1]; r++) (t[n] < 0 || Math.abs(e.weight[r]) > Math.abs(e.weight[t[n]])) && (t[n] = r);
	return t;
}
function Ka(e, t, n) {
	let r = 0;
	for (let { links: n, best: i } of e) {
		for (let e of n.weight) Math.abs(e) >= t && (r += Math.abs(e));
		for (let e of i ?? []) e >= 0 && Math.abs(n.weight[e]) < t && (r += Math.abs(n.weight[e]));
	}
	return n > 0 ? Math.min(1, r / n) : 1;
}
var qa = (e, t) => Math.min(1, Math.abs(e) / t), Ja = (e) => e ** 1.1, Ya = (e, t = 1) => .03 + .97 * e ** Math.min(1.3, .75 + .05 * (t - 1)), Xa = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u, Za = /[\p{L}\p{N}]/u, Qa = /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Nko}]/u, $a = "‍";
function eo(e) {
	for (let t of e) {
		if (Xa.test(t)) return "right";
		if (Za.test(t)) return "left";
	}
	return null;
}
var to = /^(\[[^\]]+\]|<[^>]+>)$/, no = (e) => to.test(e) ? null : eo(e);
function ro(e) {
	return Xa.test(e) ? `\u2068${e}\u2069` : e;
}
function io(e, t = 18) {
	let n = Ta(e, t);
	return /^[\p{P}\p{S}\s]+$/u.test(n) ? `“${n}”` : ro(n);
}
function ao(e, t, n) {
	let r = (e) => e !== void 0 && Qa.test(e), [i, a, o] = [
		[...e],
		[...t].at(-1),
		[...n][0]
	];
	return (r(i[0]) && r(a) ? $a : "") + e + (r(i.at(-1)) && r(o) ? $a : "");
}
function oo(e, t) {
	return e.map((n, r) => {
		if (n) return n;
		let i = e.slice(0, r).reverse().find((e) => e !== null), a = e.slice(r + 1).find((e) => e !== null);
		return i && i === a ? i : t;
	});
}
function so(e, t) {
	let n = oo(e, t), r = [];
	return n.forEach((e, t) => {
		t > 0 && n[t - 1] === e ? r.at(-1).push(t) : r.push([t]);
	}), (t === "left" ? r : r.reverse()).map((e) => n[e[0]] === "right" ? e.reverse() : e);
}
var co = 8, lo = null;
function uo(e) {
	return lo ??= document.createElement("canvas").getContext("2d"), lo.font = `14px ${aa}`, lo.direction = eo(e) === "right" ? "rtl" : "ltr", lo.measureText(e.slice(0, 80)).width;
}
function fo(e, t, n, r, i = uo, a = 0) {
	return e === "columns" ? po(t, n, r, i, a) : mo(t, n, r, i);
}
function po(e, t, n, r, i) {
	let a = Math.max(56, n * .3 - 46), [o, s] = [e, t].map((e) => Math.min(a, ho(e, r) + 16)), c = i + o + s + 108, l = Math.min(Math.max(n - c, 90), Math.max(260, Math.min(460, n * .4))), u = Math.max(n, c + l), d = Math.floor((u - c - l) / 2) + i + co + 46;
	return {
		layout: "columns",
		width: u,
		height: Math.max(e.length, t.length) * 24 + 16,
		query: e.map((e, t) => ({
			x: d,
			y: co + t * 24,
			width: o,
			height: 24
		})),
		key: t.map((e, t) => ({
			x: d + o + l,
			y: co + t * 24,
			width: s,
			height: 24
		}))
	};
}
function mo(e, t, n, r) {
	let i = (e, t) => {
		let n = co;
		return e.map((e) => {
			let i = Math.min(200, Math.max(40, r(e.text) + 14)), a = {
				x: n,
				y: t,
				width: i,
				height: 28
			};
			return n += i, a;
		});
	}, a = i(e, 32), o = i(t, 316), s = Math.max(...[a, o].map((e) => (e.at(-1)?.x ?? 0) + (e.at(-1)?.width ?? 0))) + co, c = Math.max(0, (n - s) / 2);
	for (let e of [...a, ...o]) e.x += c;
	return {
		layout: "rows",
		width: Math.max(n, s),
		height: 372,
		query: a,
		key: o
	};
}
function ho(e, t) {
	let n = [...e].sort((e, t) => t.text.length - e.text.length).slice(0, 40);
	return Math.max(24, ...n.map((e) => t(e.text)));
}
function go(e, t, n) {
	let r = e[t][n];
	return e.layout === "columns" ? [t === "query" ? r.x + r.width : r.x, r.y + r.height / 2] : [r.x + r.width / 2, t === "query" ? r.y + r.height : r.y];
}
function _o(e, t, n) {
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
function vo(e, t) {
	let n = (e) => t.filter(([t]) => t === e).map(([, e]) => e), r = n("query"), i = n("key");
	return {
		toKeys: r.length ? e.map((e) => yo(r.map((t) => e.row(t)))) : [],
		fromQueries: i.length ? e.map((e) => yo(i.map((t) => e.column(t)))) : []
	};
}
function yo(e) {
	let t = new Float32Array(e[0].length);
	for (let n of e) for (let r = 0; r < t.length; r++) t[r] += n[r] / e.length;
	return t;
}
var bo = (e) => ({
	query: [0, e.query.length],
	key: [0, e.key.length]
});
function xo(e, t, n, r, i) {
	let a = (e) => new Set(n.filter(([t]) => t === e).map(([, e]) => e)), [o, s] = [a("query"), a("key")], c = n.length === 0, l = e.layout === "columns" ? "x" : "y", u = [], { heads: d, least: f, ceiling: p, signed: m } = t, h = c ? d.length > 4 ? 1.1 : 2 : 2.6;
	return d.forEach(({ colour: t, links: n, incoming: a, best: g }, _) => {
		let v = (_ - (d.length - 1) / 2) * Math.min(3, 15 / d.length), y = (r, a, o) => {
			let s = n.weight[o];
			if (Math.abs(s) < f && (!g || g[r] !== o && c)) return;
			let _ = qa(s, p), [y, b] = [go(e, "query", r), go(e, "key", a)];
			y[+(l === "x")] += v, b[+(l === "x")] += v;
			let x = m ? s > 0 ? i.positive : i.negative : t;
			u.push({
				type: "line",
				from: y,
				to: b,
				bend: l,
				colour: x,
				alpha: c ? Ya(_, d.length) : Ja(_),
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
function So(e, t, n, r, i, a) {
	let o = [];
	return n.forEach((s, c) => s.forEach((s, l) => {
		let u = qa(s, i);
		if (u < .004) return;
		let d = e[t][l], f = d.width / n.length;
		o.push({
			type: "box",
			x: d.x + c * f,
			y: d.y + 1,
			width: f,
			height: d.height - 2,
			colour: a ? s > 0 ? a.positive : a.negative : r[c],
			alpha: .85 * Ja(u)
		});
	})), o;
}
function Co(e, t, n, { page: r }) {
	let i = /* @__PURE__ */ new Map(), a = [], o = [["key", t.toKeys], ["query", t.fromQueries]];
	for (let [t, s] of o) s.forEach((o, s) => {
		let c = o.reduce((e, t, n) => Math.abs(t) > Math.abs(o[e]) ? n : e, 0);
		if (Math.abs(o[c] ?? 0) < .02) return;
		let l = `${t} ${c}`, u = i.get(l) ?? 0;
		i.set(l, u + 1);
		let [d, f] = go(e, t, c), p = e.layout === "columns", m = (12 + u * 17) * (t === "key" ? -1 : 1), [h, g] = p ? [d + m, f] : [d, f + m];
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
function wo(e, [t, n], r, { quiet: i, raised: a }) {
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
function To(e, t, n, r) {
	return ["query", "key"].flatMap((i) => t[i].flatMap((t, a) => {
		let o = e[i][a], s = e.layout === "columns" ? i === "query" ? "end" : "start" : "middle", c = {
			type: "words",
			x: s === "end" ? o.x + o.width - 8 : s === "start" ? o.x + 8 : o.x + o.width / 2,
			y: o.y + o.height / 2,
			text: Ta(t.text),
			size: 14,
			colour: r.ink,
			anchor: s
		}, l = n[i]?.[a] ?? 0;
		return Math.abs(l) < .005 ? [c] : [c, {
			type: "words",
			..._o(e, i, a),
			text: $(l),
			size: 12,
			colour: r.quiet
		}];
	}));
}
function Eo(e) {
	let t = e.filter((e) => e > 1 - ja).length;
	return t === 0 ? "" : `; ${e.length > 1 ? `in ${t} of ${e.length} rows ` : ""}the rest is too little to scale up`;
}
function Do({ low: e, high: t }) {
	let [n, r] = [$(e), $(t)];
	return n === r ? n : e === 0 ? `< ${r.replace("<", "")}` : `${n} to ${r}`;
}
function $(e) {
	let t = Math.abs(e);
	return t < 5e-4 ? t > 0 ? "<0.001" : "0" : (e < 0 ? "−" : "") + (t >= 9.995 ? t.toPrecision(3) : t >= .0995 ? t.toFixed(2) : t.toFixed(3));
}
var Oo = "without the first token; percentages: its share of the attention";
function ko({ least: e, cut: t, mass: n, heads: r, withoutFirst: i }) {
	let a = r.some(({ best: e }) => e) ? ", and each token's strongest" : "", o = n > .995 ? "all" : `${Math.round(n * 100)}%`;
	return `links of ${$(e)} and more${a}: ${o} of the ${i ? "other " : ""}attention${t ? " (more would be too many to draw)" : ""}`;
}
function Ao(e, t, n, r, i, a) {
	let o = [], [s, c] = [r, i + 11], l = (e, t, i) => {
		let l = 22 + uo(i) * (12 / 14) + 14;
		s + l > r + a && s > r && ([s, c] = [r, c + 22]), o.push({
			type: "line",
			from: [s, c],
			to: [s + 16, c],
			colour: e,
			alpha: Ya(t),
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
	]) l(u, t, (t === 1 ? "≥ " : "") + $(t * e.ceiling));
	c += 22;
	for (let t of [ko(e), ...e.withoutFirst ? [Oo] : []]) o.push({
		type: "words",
		x: r,
		y: c,
		text: t,
		size: 11,
		colour: n.quiet,
		anchor: "start"
	}), c += 22;
	return c -= 22, {
		marks: o,
		height: c + 11 - i
	};
}
function jo(e, t, n, r, i) {
	let a = [], [o, s] = [n, r + 11];
	for (let { name: r, count: c } of e.names.counted(t, e.attention.attention)) {
		let t = `${r.title} ${c}`, l = 15 + uo(t) * (12 / 14) + 14;
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
var Mo = 8;
function No(e, t, n, r, i) {
	let a = ([e, t]) => [e - n.left + r.x, t - n.top + r.y];
	e.strokeStyle = i, e.lineWidth = 2, e.setLineDash([5, 4]), e.beginPath(), e.moveTo(...a(t.from)), e.lineTo(...a(t.to)), e.stroke(), e.setLineDash([]);
}
function Po(e) {
	let t = /* @__PURE__ */ P(null), n = /* @__PURE__ */ P(null), r = null, i = 0, a = (e, t) => {
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
		if (!W(t) && Math.hypot(i.clientX - o, i.clientY - s) < Mo) return;
		e.hover = null, F(t, {
			from: r.at,
			to: [i.clientX, i.clientY]
		});
		let c = a(i.clientX, i.clientY);
		F(n, c && (c[0] !== r.pin[0] || c[1] !== r.pin[1]) ? c : null);
	}
	function c() {
		r && W(t) && (i = performance.now(), W(n) && l(r.pin, W(n))), u();
	}
	function l([t, n], [r, i]) {
		t === "key" && r === "query" ? e.ask(i, n) : e.ask(n, i);
	}
	function u() {
		r = F(t, F(n, null));
	}
	return {
		get line() {
			return W(t);
		},
		get over() {
			return W(n);
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
var Fo = /* @__PURE__ */ K("<div class=\"surface svelte-tu9u91\"><div class=\"content svelte-tu9u91\"><canvas aria-hidden=\"true\" class=\"svelte-tu9u91\"></canvas> <!></div></div>");
function Io(e, t) {
	j(t, !0);
	let n = ra(t, "room", 15), r, i, a = /* @__PURE__ */ P({
		x: 0,
		y: 0,
		width: 600,
		height: 400
	}), o = /* @__PURE__ */ P(1);
	function s() {
		F(o, Math.min(window.devicePixelRatio || 1, 3), !0), n(r.clientWidth), F(a, {
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
	B(() => {
		let e = new ResizeObserver(s);
		return e.observe(r), () => e.disconnect();
	}), B(() => {
		let e = Math.round(W(a).width * W(o)), n = Math.round(Math.min(W(a).height, t.height) * W(o));
		i.width !== e && (i.width = e), i.height !== n && (i.height = n);
		let r = i.getContext("2d");
		r.setTransform(1, 0, 0, 1, 0, 0), r.clearRect(0, 0, e, n), r.setTransform(W(o), 0, 0, W(o), -W(a).x * W(o), -W(a).y * W(o)), t.draw(r, W(a));
	});
	var d = {
		reveal: c,
		ensure: l,
		toTop: u
	}, f = Fo(), p = I(f);
	let m;
	var h = I(p);
	let g;
	return ea(h, (e) => i = e, () => i), li(z(h, 2), () => t.children, () => W(a)), A(p), A(f), ea(f, (e) => r = e, () => r), V((e) => {
		m = Z(p, "", m, {
			width: `${t.width ?? ""}px`,
			height: `${t.height ?? ""}px`
		}), g = Z(h, "", g, {
			width: `${W(a).width ?? ""}px`,
			height: e
		});
	}, [() => `${Math.min(W(a).height, t.height)}px`]), Mr("scroll", f, s), q(e, f), Qe(d);
}
//#endregion
//#region src/parts/Bipartite.svelte
var Lo = /* @__PURE__ */ K("<div class=\"sides svelte-18nj9xk\"><span class=\"query svelte-18nj9xk\"> </span> <span class=\"svelte-18nj9xk\"> </span></div>"), Ro = /* @__PURE__ */ K("<span aria-hidden=\"true\"> </span>"), zo = /* @__PURE__ */ K("<button type=\"button\"><bdi class=\"svelte-18nj9xk\"> </bdi></button> <!> <!>", 1), Bo = /* @__PURE__ */ K("<div role=\"group\"></div>"), Vo = /* @__PURE__ */ K("<!> <div><!></div>", 1);
function Ho(e, t) {
	j(t, !0);
	let n = ra(t, "laned", 15, !1), r = Xe("store"), i = /* @__PURE__ */ P(600), a = rn({
		query: 0,
		key: 0
	}), o, s = /* @__PURE__ */ P(void 0), c = Po(r), l = /* @__PURE__ */ M(() => r.hasProbabilities ? 40 : 0), u = /* @__PURE__ */ M(() => fo(r.selection.layout, r.queries, r.keys, W(i), uo, W(i) > 480 ? W(l) : 0));
	B(() => {
		n(r.hasProbabilities && (r.selection.layout === "rows" || W(i) > 480));
	});
	let f = /* @__PURE__ */ M(() => r.drawn(t.heads, t.layer)), p = /* @__PURE__ */ M(() => t.heads.map((e) => r.unitMap(e, t.layer))), m = /* @__PURE__ */ M(() => vo(W(p), r.active)), h = /* @__PURE__ */ M(() => r.active.length > 0 ? r.activeCeiling(t.heads, t.layer) : W(f).ceiling), g = /* @__PURE__ */ M(() => ({
		query: W(m).fromQueries.length ? yo(W(m).fromQueries) : null,
		key: W(m).toKeys.length ? yo(W(m).toKeys) : null
	}));
	function _(e, n) {
		let i = t.heads.map((e) => r.colourOf(e, t.layer)), a = W(f).signed ? r.colours : null;
		return [
			...r.hasProbabilities ? wo(e, n.query, (e) => r.probability(e), r.colours) : [],
			...So(e, "query", W(m).fromQueries, i, W(h), a),
			...So(e, "key", W(m).toKeys, i, W(h), a),
			...xo(e, {
				...W(f),
				ceiling: W(h)
			}, r.active, n, r.colours),
			...t.heads.length > 1 ? Co(e, W(m), W(f).heads, r.colours) : []
		];
	}
	function v(e) {
		let n = r.attention.causal && r.queries[e].start === 0;
		if (!r.withoutFirst || W(g).query !== null || n) return null;
		let i = t.heads.map((n) => r.firstShare(e, [n], t.layer));
		return {
			share: `${Math.round(100 * i.reduce((e, t) => e + t, 0) / i.length)}%`,
			little: Eo(i)
		};
	}
	function y({ y: e, height: t }, n = 0) {
		if (W(u).layout === "rows") return bo(W(u));
		let r = (r) => {
			let i = Math.floor((e - 8 - n) / 24), a = Math.ceil((e + t - 8 + n) / 24);
			return [Math.max(0, Math.min(r, i)), Math.max(0, Math.min(r, a))];
		};
		return {
			query: r(W(u).query.length),
			key: r(W(u).key.length)
		};
	}
	function b(e, t) {
		ua(e, _(W(u), y(t))), c.line && No(e, c.line, o.getBoundingClientRect(), t, r.colours.accent);
	}
	function x() {
		let { layout: e } = r.selection;
		if (Math.max(r.queries.length, r.keys.length) > 1500) return null;
		let n = fo(e, r.queries, r.keys, e === "columns" ? 520 : 300, uo, W(l)), i = Ao({
			...W(f),
			ceiling: W(h)
		}, t.heads.map((e) => r.nameOf(e, t.layer)), r.colours, 12, n.height, n.width - 24), a = To(n, {
			query: r.queries,
			key: r.keys
		}, W(g), r.colours), o = r.queries.flatMap((e, t) => {
			let i = v(t);
			return i ? [{
				type: "words",
				..._o(n, "query", t),
				text: i.share,
				size: 11,
				colour: r.colours.quiet
			}] : [];
		});
		return {
			width: n.width,
			height: n.height + i.height,
			marks: [
				..._(n, bo(n)),
				...a,
				...o,
				...i.marks
			]
		};
	}
	function S(e, t) {
		let n = [];
		if (W(u).layout === "columns") {
			let [r, i] = y(t, 100)[e];
			for (let e = r; e < i; e++) n.push(e);
		} else W(u)[e].forEach(({ x: e, width: r }, i) => {
			e + r > t.x - 200 && e < t.x + t.width + 200 && n.push(i);
		});
		let r = a[e];
		return !n.includes(r) && r < W(u)[e].length && n.push(r), n;
	}
	async function C(e, t) {
		let n = W(u)[e].length - 1;
		a[e] = Math.max(0, Math.min(n, t)), await gr();
		let r = o.querySelector(`[data-end="${e}"][data-index="${a[e]}"]`);
		r?.focus(), r?.scrollIntoView({
			block: "nearest",
			inline: "nearest"
		});
	}
	B(() => {
		let e = r.found?.unit;
		e !== void 0 && W(u).query[e] && W(s)?.reveal(W(u).query[e].x, W(u).query[e].y);
	});
	function w(e, t, n) {
		let r = t === "query" ? "key" : "query", i = W(u).layout === "columns" ? ["ArrowUp", "ArrowDown"] : ["ArrowLeft", "ArrowRight"], a = W(u).layout === "columns" ? ["ArrowLeft", "ArrowRight"] : ["ArrowUp", "ArrowDown"], o = {
			[i[0]]: () => C(t, n - 1),
			[i[1]]: () => C(t, n + 1),
			[a[0]]: () => t === "key" && C(r, n),
			[a[1]]: () => t === "query" && C(r, n),
			Home: () => C(t, 0),
			End: () => C(t, W(u)[t].length - 1),
			PageUp: () => C(t, n - 10),
			PageDown: () => C(t, n + 10)
		};
		o[e.key] && (e.preventDefault(), o[e.key]());
	}
	function ee(e, t, n) {
		let i = W(g)[e]?.[t], a = e === "query" ? "from" : "to", o = i !== void 0 && Math.abs(i) >= 5e-4;
		return `${a} ${n}, token ${r.unitsAt(e)[t].start}${o ? `, weight ${$(i)}` : ""}`;
	}
	var T = { picture: x }, te = Vo(), ne = L(te), re = (e) => {
		var t = Lo(), n = I(t);
		let i;
		var a = R(n, !0), o = z(n, 2);
		let s;
		var c = R(o, !0);
		A(t), V(() => {
			i = Z(n, "", i, {
				left: `${W(u).query[0].x ?? ""}px`,
				width: `${W(u).query[0].width ?? ""}px`
			}), J(a, r.attention.queries), s = Z(o, "", s, {
				left: `${W(u).key[0].x ?? ""}px`,
				width: `${W(u).key[0].width ?? ""}px`
			}), J(c, r.attention.keys);
		}), q(e, t);
	};
	Y(ne, (e) => {
		r.attention.queries !== r.attention.keys && W(u).layout === "columns" && W(u).query.length > 0 && W(u).key.length > 0 && e(re);
	});
	var E = z(ne, 2);
	return Ui(E, () => ({
		class: "bipartite",
		...c.handlers
	}), void 0, void 0, void 0, "svelte-18nj9xk"), ea(Io(I(E), {
		get width() {
			return W(u).width;
		},
		get height() {
			return W(u).height;
		},
		draw: b,
		get room() {
			return W(i);
		},
		set room(e) {
			F(i, e, !0);
		},
		children: (e, t = d) => {
			var n = Hr();
			X(L(n), 16, () => ["query", "key"], (e) => e, (e, n) => {
				var i = Bo();
				X(i, 20, () => S(n, t()), (e) => e, (e, t) => {
					let i = /* @__PURE__ */ M(() => r.unitsAt(n)[t]), o = /* @__PURE__ */ M(() => W(u)[n][t]), s = /* @__PURE__ */ M(() => W(g)[n]?.[t] ?? 0), l = /* @__PURE__ */ M(() => _o(W(u), n, t));
					var d = Hr(), f = L(d), p = (e) => {
						let d = /* @__PURE__ */ M(() => n === "query" ? v(t) : null);
						var f = zo(), p = L(f);
						let m, h;
						var g = R(I(p), !0);
						A(p);
						var _ = z(p, 2), y = (e) => {
							var t = Ro();
							let n, r;
							var i = R(t, !0);
							V(() => {
								n = bi(t, 1, `weight chip ${W(l).anchor ?? ""}`, "svelte-18nj9xk", n, { little: W(d).little }), Q(t, "title", `on the first token, left out${W(d).little ?? ""}`), r = Z(t, "", r, {
									left: `${W(l).x ?? ""}px`,
									top: `${W(l).y ?? ""}px`
								}), J(i, W(d).share);
							}), q(e, t);
						};
						Y(_, (e) => {
							W(d) && e(y);
						});
						var b = z(_, 2), x = (e) => {
							var r = Ro();
							let i;
							var a = R(r, !0);
							V((e) => {
								bi(r, 1, `weight ${W(l).anchor ?? ""}`, "svelte-18nj9xk"), Q(r, "data-weight-of", n), Q(r, "data-index", t), i = Z(r, "", i, {
									left: `${W(l).x ?? ""}px`,
									top: `${W(l).y ?? ""}px`
								}), J(a, e);
							}, [() => $(W(s))]), q(e, r);
						}, S = /* @__PURE__ */ M(() => Math.abs(W(s)) >= .005);
						Y(b, (e) => {
							W(S) && e(x);
						}), V((e, s, l) => {
							m = bi(p, 1, `token ${W(u).layout ?? ""} ${n ?? ""}`, "svelte-18nj9xk", m, {
								hovered: r.hover?.[0] === n && r.hover[1] === t,
								generated: e,
								target: c.over?.[0] === n && c.over[1] === t
							}), Q(p, "data-end", n), Q(p, "data-index", t), Q(p, "aria-pressed", s), Q(p, "aria-label", l), Q(p, "title", W(i).text.length > 24 ? W(i).text : void 0), Q(p, "tabindex", a[n] === t ? 0 : -1), h = Z(p, "", h, {
								left: `${W(o).x ?? ""}px`,
								top: `${W(o).y ?? ""}px`,
								width: `${W(o).width ?? ""}px`,
								height: `${W(o).height ?? ""}px`
							}), J(g, W(i).text);
						}, [
							() => r.isGenerated(n, t),
							() => r.isPinned(n, t),
							() => ee(n, t, W(i).text.slice(0, 200))
						]), G("click", p, () => c.isClick() && (a[n] = t, r.togglePin(n, t))), Mr("pointerenter", p, (e) => e.pointerType === "mouse" && !c.line && (r.hover = [n, t])), Mr("pointerleave", p, () => !c.line && r.leave()), Mr("focus", p, (e) => e.currentTarget.matches(":focus-visible") && (r.hover = [n, t])), Mr("blur", p, () => r.hover = null), G("keydown", p, (e) => w(e, n, t)), q(e, f);
					};
					Y(f, (e) => {
						W(i) && W(o) && e(p);
					}), q(e, d);
				}), A(i), V(() => Q(i, "aria-label", n === "query" ? "Tokens that attend" : "Tokens attended to")), q(e, i);
			}), q(e, n);
		},
		$$slots: { default: !0 }
	}), (e) => F(s, e, !0), () => W(s)), A(E), ea(E, (e) => o = e, () => o), q(e, te), Qe(T);
}
Nr(["click", "keydown"]);
//#endregion
//#region src/parts/HeadPicker.svelte
var Uo = /* @__PURE__ */ K("<small title=\"share on the first token, left out\" class=\"svelte-1l12xf4\"> </small>"), Wo = /* @__PURE__ */ K("<button type=\"button\"> <!></button>"), Go = /* @__PURE__ */ K("<button type=\"button\" class=\"all svelte-1l12xf4\">All heads</button>"), Ko = /* @__PURE__ */ K("<p class=\"why svelte-1l12xf4\"> </p>"), qo = /* @__PURE__ */ K("<div role=\"group\"><!> <!></div> <!>", 1);
function Jo(e, t) {
	j(t, !0);
	let n = ra(t, "single", 3, !1), r = Xe("store"), i, a = /* @__PURE__ */ M(() => {
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
	var d = qo(), f = L(d);
	let p;
	var m = I(f);
	X(m, 18, () => r.layer.heads, (e) => e, (e, t, i) => {
		let a = /* @__PURE__ */ M(() => n() ? r.heads[0] === t : r.heads.includes(t));
		var c = Wo();
		let d, f;
		var p = I(c, !0), m = z(p), h = (e) => {
			var n = Uo(), i = R(n);
			V((e) => J(i, `${e ?? ""}%`), [() => Math.round(100 * r.headFirst(t))]), q(e, n);
		};
		Y(m, (e) => {
			r.withoutFirst && e(h);
		}), A(c), V((e, i, o, s) => {
			Q(c, "aria-pressed", W(a)), Q(c, "aria-label", `Head ${r.layer.layer ?? ""}.${t ?? ""}`), Q(c, "title", `Head ${r.layer.layer ?? ""}.${t ?? ""}${e ?? ""}${i ?? ""}${n() ? "" : ": click to switch, double-click to show alone (key i)"}`), d = bi(c, 1, "svelte-1l12xf4", null, d, {
				on: W(a),
				tiles: o
			}), f = Z(c, "", f, { "--colour": s }), J(p, r.rollout ? "mean of all heads, through all layers below" : t);
		}, [
			() => s(t),
			() => r.hasRows(t) ? "" : " (tiles only)",
			() => !r.hasRows(t),
			() => r.colourOf(t)
		]), Mr("pointerenter", c, (e) => !n() && e.pointerType === "mouse" && (r.pointed = t)), Mr("pointerleave", c, () => r.pointed = null), G("click", c, (e) => l(e, t)), G("dblclick", c, () => u(t)), G("keydown", c, (e) => o(e, W(i), t)), q(e, c);
	});
	var h = z(m, 2), g = (e) => {
		var t = Go();
		V(() => t.disabled = r.heads.length === r.layer.heads.length), G("click", t, () => r.selection.heads = [...r.layer.heads]), q(e, t);
	};
	Y(h, (e) => {
		n() || e(g);
	}), A(f), ea(f, (e) => i = e, () => i);
	var _ = z(f, 2), v = (e) => {
		var t = Ko(), n = R(t, !0);
		V(() => J(n, W(a))), q(e, t);
	};
	Y(_, (e) => {
		W(a) && e(v);
	}), V(() => {
		p = bi(f, 1, "picker svelte-1l12xf4", null, p, { many: r.layer.heads.length > 16 }), Q(f, "aria-label", `${r.rollout ? "Rollout to" : "Heads of"} layer ${r.layer.layer ?? ""}`);
	}), q(e, d), Qe();
}
Nr([
	"click",
	"dblclick",
	"keydown"
]);
//#endregion
//#region src/parts/Readout.svelte
var Yo = /* @__PURE__ */ K("<span class=\"part svelte-a5qbqs\"><i class=\"svelte-a5qbqs\"></i><b class=\"svelte-a5qbqs\"> </b> </span>"), Xo = /* @__PURE__ */ K("<div><strong> </strong> <!></div>"), Zo = /* @__PURE__ */ K("<span class=\"hint svelte-a5qbqs\"> </span>"), Qo = /* @__PURE__ */ K("<div class=\"readout svelte-a5qbqs\" role=\"status\"></div>");
function $o(e, t) {
	j(t, !0);
	let n = ra(t, "laned", 3, !1), r = Xe("store"), i = /* @__PURE__ */ M(() => {
		let e = r.hover ? [r.hover] : r.active, t = (t) => ({
			end: t,
			units: e.filter(([e]) => e === t).map(([, e]) => e)
		});
		return [t("query"), t("key")].filter(({ units: e }) => e.length > 0);
	});
	function a(e, t, n, i, a) {
		let o = r.unitsAt(t), s = [...e.keys()].filter((t) => Math.abs(e[t]) >= .005).sort((t, n) => Math.abs(e[n]) - Math.abs(e[t])).slice(0, n).map((t) => `${io(o[t].text)} ${$(e[t])}`);
		return i >= .005 && s.push(`rest ${$(i)}`), r.withoutFirst && t === "key" && s.push(`(first token, left out: ${$(a.reduce((e, t) => e + t / a.length, 0))}${Eo(a)})`), s.join(" · ") || "nothing";
	}
	function o({ end: e, units: n }) {
		let i = e === "query" ? "key" : "query", o = t.heads.map((i) => {
			let a = r.unitMap(i, t.layer), o = yo(n.map((t) => e === "query" ? a.row(t) : a.column(t)));
			return {
				head: i,
				weights: o,
				rest: e === "query" ? n.reduce((e, t) => e + a.rest(t) / n.length, 0) : 0,
				firsts: e === "query" ? n.map((e) => a.first(e)) : [],
				most: o.reduce((e, t) => Math.max(e, Math.abs(t)), 0)
			};
		}), s = ({ head: e, weights: n, rest: o, firsts: s }, c) => ({
			head: r.nameOf(e, t.layer),
			colour: r.colourOf(e, t.layer),
			text: a(n, i, c, o, s)
		});
		if (t.heads.length <= 4) return o.map((e) => s(e, t.heads.length === 1 ? 6 : 3));
		let c = [...o].sort((e, t) => t.most - e.most).slice(0, 4), l = o.reduce((e, t) => e + t.rest / o.length, 0), u = {
			head: `mean of ${t.heads.length} heads`,
			colour: r.colours.quiet,
			text: a(yo(o.map((e) => e.weights)), i, 3, l, o.flatMap((e) => e.firsts))
		};
		return [...c.map((e) => s({
			...e,
			rest: 0
		}, 1)), u];
	}
	function s({ end: e, units: t }) {
		let n = t.slice(0, 4).map((t) => io(r.unitsAt(e)[t]?.text ?? "", 24));
		t.length > 4 && n.push(`${t.length - 4} more`);
		let i = t.length > 1, a = e === "query" ? i ? "attend, on average, to" : "attends to" : i ? "are attended to, on average, by" : "is attended to by", o = e === "query" && !i ? r.probability(t[0]) : null;
		return {
			names: n.join(", "),
			does: (o === null ? "" : `(probability ${$(o)}) `) + a
		};
	}
	let c = /* @__PURE__ */ M(() => matchMedia("(hover: hover)").matches ? "Point at a token to see only its links; click to pin it. Drag from one token to another to ask which heads link them." : "Tap a token to see only its links; tap one on each side to ask which heads link them.");
	var l = Qo();
	X(l, 21, () => W(i), (e) => e.end, (e, t) => {
		let n = /* @__PURE__ */ M(() => s(W(t)));
		var r = Xo(), i = I(r), a = R(i, !0), c = z(i);
		X(z(c), 17, () => o(W(t)), (e) => e.head, (e, t) => {
			var n = Yo(), r = I(n);
			let i;
			var a = z(r), o = R(a, !0), s = z(a);
			A(n), V(() => {
				i = Z(r, "", i, { background: W(t).colour }), J(o, W(t).head), J(s, ` ${W(t).text ?? ""}`);
			}), q(e, n);
		}), A(r), V(() => {
			J(a, W(n).names), J(c, ` ${W(n).does ?? ""} `);
		}), q(e, r);
	}, (e) => {
		var t = Zo(), i = R(t);
		V(() => J(i, `${W(c) ?? ""}${n() ? ` Bars ${r.selection.layout === "rows" ? "above tokens" : "on the left"}: how likely the model found each.` : ""}`)), q(e, t);
	}), A(l), q(e, l), Qe();
}
//#endregion
//#region src/parts/TilesOnly.svelte
var es = /* @__PURE__ */ K("<p class=\"tiles-only svelte-1cevq1p\"> <button type=\"button\" class=\"plain\">Open in matrix view</button></p>");
function ts(e, t) {
	j(t, !0);
	let n = Xe("store");
	function r() {
		n.selection.layer = t.layer, n.selection.heads = [t.heads[0]], n.selection.kind = "matrix";
	}
	var i = es(), a = I(i), o = z(a);
	A(i), V(() => J(a, `No links to show: of ${t.heads.length === 1 ? `head ${t.layer}.${t.heads[0]}` : "these heads"} only tiles are kept. `)), G("click", o, r), q(e, i), Qe();
}
Nr(["click"]);
//#endregion
//#region src/views/HeadView.svelte
var ns = /* @__PURE__ */ K("<!> <!>", 1);
function rs(e, t) {
	j(t, !0);
	let n = Xe("store"), r = /* @__PURE__ */ P(void 0), i = /* @__PURE__ */ P(!1);
	B(() => {
		n.picture = () => W(r)?.picture() ?? null;
	});
	let a = /* @__PURE__ */ M(() => (n.pointed === null ? n.heads : [n.pointed]).filter((e) => n.hasRows(e)));
	var o = ns(), s = L(o);
	Jo(s, {});
	var c = z(s, 2), l = (e) => {
		var t = ns(), o = L(t);
		ea(Ho(o, {
			get layer() {
				return n.layer.layer;
			},
			get heads() {
				return W(a);
			},
			get laned() {
				return W(i);
			},
			set laned(e) {
				F(i, e, !0);
			}
		}), (e) => F(r, e, !0), () => W(r)), $o(z(o, 2), {
			get layer() {
				return n.layer.layer;
			},
			get heads() {
				return W(a);
			},
			get laned() {
				return W(i);
			}
		}), q(e, t);
	}, u = (e) => {
		ts(e, {
			get layer() {
				return n.layer.layer;
			},
			get heads() {
				return n.heads;
			}
		});
	};
	Y(c, (e) => {
		W(a).length > 0 ? e(l) : e(u, -1);
	}), q(e, o), Qe();
}
//#endregion
//#region src/draw/ramp.ts
var is = {
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
}, as = {};
function os(e, t = !1) {
	let n = `${e ? "dark" : "light"}${t ? " signed" : ""}`;
	return as[n] ??= ss(is[n]);
}
function ss(e) {
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
function cs(e, t, n = !1) {
	let r = Math.max(0, Math.min(255, Math.round(t * 255))) * 4, [i, a, o] = os(e, n).slice(r, r + 3);
	return `#${[
		i,
		a,
		o
	].map((e) => e.toString(16).padStart(2, "0")).join("")}`;
}
function ls(e, t, n, r, { clear: i = !1, signed: a = !1 } = {}) {
	let o = document.createElement("canvas");
	o.width = t, o.height = n;
	let s = new ImageData(t, n), c = new Uint32Array(os(r, a).buffer), l = new Uint32Array(s.data.buffer);
	for (let t = 0; t < e.length; t++) (e[t] > 0 || !i) && (l[t] = c[e[t]]);
	return o.getContext("2d").putImageData(s, 0, 0), o;
}
//#endregion
//#region src/parts/Ramp.svelte
var us = /* @__PURE__ */ K("<i class=\"svelte-108237s\"></i>"), ds = /* @__PURE__ */ K("<span class=\"ramp svelte-108237s\"> <!> </span>");
function fs(e, t) {
	j(t, !0);
	let n = ra(t, "signed", 3, !1);
	var r = ds(), i = I(r), a = z(i);
	X(a, 17, () => ({ length: 24 }), $r, (e, r, i) => {
		var a = us();
		let o;
		V((e) => o = Z(a, "", o, { background: e }), [() => cs(t.dark, i / 23, n())]), q(e, a);
	});
	var o = z(a);
	A(r), V(() => {
		J(i, `${t.low ?? ""} `), J(o, ` ${t.high ?? ""}`);
	}), q(e, r), Qe();
}
//#endregion
//#region src/views/ImageView.svelte
var ps = /* @__PURE__ */ K("<button type=\"button\" class=\"plain svelte-1k6ot3g\"> </button>"), ms = /* @__PURE__ */ K("<img class=\"svelte-1k6ot3g\"/>"), hs = /* @__PURE__ */ K("<figcaption class=\"svelte-1k6ot3g\"><i class=\"svelte-1k6ot3g\"></i> </figcaption>"), gs = /* @__PURE__ */ K("<figure class=\"svelte-1k6ot3g\"><button type=\"button\" class=\"patches svelte-1k6ot3g\"><canvas aria-hidden=\"true\"></canvas></button> <!></figure>"), _s = /* @__PURE__ */ K("<!> <div class=\"from svelte-1k6ot3g\" role=\"group\" aria-label=\"Token that attends\">From <!> <span class=\"hint svelte-1k6ot3g\">or a patch: point at one, click to keep it, or move with the arrow keys.</span></div> <div class=\"heads svelte-1k6ot3g\"><div></div> <!></div> <div class=\"readout svelte-1k6ot3g\" role=\"status\">From <strong> </strong><!>. Each head is on its own scale; brighter patches get more. <!> <!></div>", 1);
function vs(e, t) {
	j(t, !0);
	let n = Xe("store"), r = /* @__PURE__ */ P(null), i = /* @__PURE__ */ P(900), a = /* @__PURE__ */ M(() => n.scene.images.filter((e) => e.side === n.attention.keys)), o = /* @__PURE__ */ M(() => n.querySide.tokens), s = /* @__PURE__ */ M(() => {
		let e = new Int32Array(W(o).length).fill(-1);
		return W(a).forEach((t, n) => e.fill(n, t.before, t.before + t.rows * t.columns)), e;
	}), c = /* @__PURE__ */ M(() => W(o).map((e, t) => t).filter((e) => W(s)[e] < 0)), l = /* @__PURE__ */ P({});
	for (let { source: e } of n.scene.images) {
		let t = new Image();
		t.onload = () => F(l, {
			...W(l),
			[e]: t
		}), t.src = e;
	}
	let u = /* @__PURE__ */ M(() => n.scene.sides.decoder === void 0 || W(c).length === 0 ? 0 : W(c)[W(c).length - 1]), d = /* @__PURE__ */ M(() => n.selection.pinned.find(([e]) => e === "query")?.[1] ?? W(u)), f = /* @__PURE__ */ M(() => Math.min(W(r) ?? W(d), W(o).length - 1)), p = /* @__PURE__ */ M(() => n.heads), m = /* @__PURE__ */ M(() => W(p).length * W(a).length), h = /* @__PURE__ */ M(() => W(i) < 500 ? 0 : 108), g = /* @__PURE__ */ M(() => Math.min(W(m), W(i) < 500 ? 2 : W(m) <= 3 ? W(m) : 4)), _ = /* @__PURE__ */ M(() => Math.max(120, Math.min(420, Math.floor((W(i) - 24 - W(h)) / W(g)) - 12))), v = /* @__PURE__ */ M(() => W(p).map((e) => ({
		head: e,
		weights: n.map(e).row(W(f))
	}))), y = (e) => W(s)[e] < 0 ? W(o)[e] : `patch ${W(o)[e]}`, b = (e) => e.rows / e.columns, x = /* @__PURE__ */ M(() => {
		if (W(s)[W(f)] < 0 || n.scene.sides.decoder === void 0) return null;
		let e = new Float32Array(W(o).length);
		for (let { head: t, weights: r } of W(v)) {
			let i = n.map(t);
			for (let t of W(c)) e[t] += (t < W(f) ? r[t] : i.row(t)[W(f)]) / W(v).length;
		}
		return e;
	}), S = /* @__PURE__ */ M(() => W(x) === null ? 1 : Math.max(1e-9, ...W(c).map((e) => W(x)[e])));
	function C(e) {
		let t = 0;
		for (let n = 0; n < e.length; n++) W(s)[n] >= 0 && (t = Math.max(t, e[n]));
		return t || 1;
	}
	function w(e, t) {
		return (n) => {
			B(() => {
				let { rows: r, columns: i, before: a } = e, o = b(e), s = Math.min(window.devicePixelRatio || 1, 2);
				n.width = Math.round(W(_) * s), n.height = Math.round(W(_) * o * s);
				let c = n.getContext("2d");
				c.scale(s, s);
				let u = W(l)[e.source];
				u && (c.filter = "grayscale(1)", c.drawImage(u, 0, 0, W(_), W(_) * o), c.filter = "none");
				let [d, p] = [W(_) / i, W(_) * o / r], m = C(t);
				for (let e = 0; e < r * i; e++) {
					let n = Math.sqrt(t[a + e] / m);
					c.globalAlpha = .25 + .5 * n, c.fillStyle = cs(!0, n), c.fillRect(e % i * d, Math.floor(e / i) * p, d + .5, p + .5);
				}
				c.globalAlpha = 1;
				let h = W(f) - a;
				h >= 0 && h < r * i && (c.strokeStyle = "#ff8a3c", c.lineWidth = 2.5, c.strokeRect(h % i * d, Math.floor(h / i) * p, d, p));
			});
		};
	}
	function ee(e, { rows: t, columns: n, before: r }) {
		let i = e.currentTarget.getBoundingClientRect(), a = Math.max(0, Math.min(n - 1, Math.floor((e.clientX - i.left) / i.width * n)));
		return r + Math.max(0, Math.min(t - 1, Math.floor((e.clientY - i.top) / i.height * t))) * n + a;
	}
	function T(e) {
		n.selection.pinned = [["query", e]], F(r, null);
	}
	function te(e, { rows: t, columns: n, before: r }) {
		let i = {
			ArrowLeft: -1,
			ArrowRight: 1,
			ArrowUp: -n,
			ArrowDown: n
		}[e.key];
		if (i === void 0) return;
		e.preventDefault();
		let a = W(d) >= r && W(d) < r + t * n;
		T(Math.max(0, Math.min(W(o).length - 1, (a ? W(d) : r - 1) + i)));
	}
	n.picture = () => {
		let e = Math.min(W(m), 4), t = Math.max(...W(a).map(b)) * W(_), r = [];
		return W(v).forEach(({ head: i, weights: o }, s) => W(a).forEach((c, u) => {
			let d = s * W(a).length + u, { rows: f, columns: p, before: m } = c, [h, g] = [12 + d % e * (W(_) + 12), 12 + Math.floor(d / e) * (t + 30)], v = W(_) * b(c), y = document.createElement("canvas");
			y.width = p, y.height = f;
			let x = y.getContext("2d"), S = C(o);
			for (let e = 0; e < f * p; e++) x.fillStyle = cs(!0, Math.sqrt(o[m + e] / S)), x.fillRect(e % p, Math.floor(e / p), 1, 1);
			let w = W(l)[c.source];
			if (w) {
				let e = document.createElement("canvas");
				[e.width, e.height] = [w.naturalWidth, w.naturalHeight], e.getContext("2d").drawImage(w, 0, 0), r.push({
					type: "raster",
					x: h,
					y: g,
					width: W(_),
					height: v,
					source: e
				});
			}
			r.push({
				type: "raster",
				x: h,
				y: g,
				width: W(_),
				height: v,
				source: y,
				alpha: .6
			});
			let ee = u === 0 ? ne(i, o) : "";
			r.push({
				type: "words",
				x: h,
				y: g + v + 12,
				text: ee,
				size: 11,
				colour: n.colours.ink,
				anchor: "start"
			});
		})), {
			width: 12 + e * (W(_) + 12),
			height: 12 + Math.ceil(W(m) / e) * (t + 30),
			marks: r
		};
	};
	function ne(e, t) {
		let r = 0;
		for (let e of W(c)) r += t[e];
		let i = n.scene.sides.decoder === void 0 ? `[CLS]${W(c).length > 1 ? " and registers" : ""}` : "words";
		return `${n.nameOf(e)}: up to ${$(C(t))}${W(c).length > 0 ? `, ${$(r)} on ${i}` : ""}`;
	}
	var re = _s(), E = L(re);
	Jo(E, {});
	var ie = z(E, 2);
	X(z(I(ie)), 16, () => W(c), (e) => e, (e, t) => {
		var n = ps();
		let r;
		var i = R(n, !0);
		V((e, a) => {
			Q(n, "aria-pressed", W(f) === t), Q(n, "title", e), r = Z(n, "", r, { background: a }), J(i, W(o)[t]);
		}, [() => W(x) === null ? void 0 : `${t < W(f) ? "the patch gives it" : "it gives the patch"} ${$(W(x)[t])}`, () => W(x) === null ? void 0 : `color-mix(in srgb, var(--accent) ${Math.round(70 * Math.sqrt(W(x)[t] / W(S)))}%, transparent)`]), G("click", n, () => T(t)), q(e, n);
	}), Te(2), A(ie);
	var ae = z(ie, 2), oe = I(ae);
	let se;
	X(oe, 23, () => W(a), (e) => e.before, (e, t, n) => {
		var r = ms();
		V(() => {
			Q(r, "src", W(t).source), Q(r, "alt", `Picture${W(a).length > 1 ? ` ${W(n) + 1}` : ""}, as the model saw it`);
		}), q(e, r);
	}), A(oe), X(z(oe, 2), 17, () => W(v), ({ head: e, weights: t }) => e, (e, t) => {
		let i = () => W(t).head, o = () => W(t).weights;
		var s = Hr();
		X(L(s), 19, () => W(a), (e) => e.before, (e, t, s) => {
			var c = gs();
			let l;
			var u = I(c);
			let d;
			var p = I(u);
			let m;
			di(p, () => w(W(t), o())), A(u);
			var h = z(u, 2), g = (e) => {
				var t = hs(), r = I(t);
				let a;
				var s = z(r, 1, !0);
				A(t), V((e, t) => {
					a = Z(r, "", a, { background: e }), J(s, t);
				}, [() => n.colourOf(i()), () => ne(i(), o())]), q(e, t);
			};
			Y(h, (e) => {
				W(s) === 0 && e(g);
			}), A(c), V((e, n, r, i) => {
				l = Z(c, "", l, { width: `${W(_) ?? ""}px` }), Q(u, "aria-label", `Head ${e ?? ""} from ${n ?? ""}${W(a).length > 1 ? `, picture ${W(s) + 1}` : ""}: ${W(t).rows ?? ""} by ${W(t).columns ?? ""} patches`), d = Z(u, "", d, { height: r }), m = Z(p, "", m, {
					width: `${W(_) ?? ""}px`,
					height: i
				});
			}, [
				() => n.nameOf(i()),
				() => y(W(f)),
				() => `${W(_) * b(W(t))}px`,
				() => `${W(_) * b(W(t))}px`
			]), G("pointermove", u, (e) => e.pointerType === "mouse" && F(r, ee(e, W(t)), !0)), Mr("pointerleave", u, () => F(r, null)), G("click", u, (e) => e.detail > 0 && T(ee(e, W(t)))), G("keydown", u, (e) => te(e, W(t))), q(e, c);
		}), q(e, s);
	}), A(ae);
	var ce = z(ae, 2), le = z(I(ce)), ue = R(le, !0), de = z(le), fe = (e) => {
		var t = Vr();
		V(() => J(t, `, ${W(p).length ?? ""} heads of layer ${n.layer.layer ?? ""}`)), q(e, t);
	};
	Y(de, (e) => {
		W(p).length > 1 && e(fe);
	});
	var pe = z(de, 2), me = (e) => {
		q(e, Vr("Words are tinted by what the patch gives them, or they give it."));
	};
	Y(pe, (e) => {
		W(x) !== null && e(me);
	}), fs(z(pe, 2), {
		low: "0",
		high: "most",
		dark: !0
	}), A(ce), V((e) => {
		se = bi(oe, 1, "originals svelte-1k6ot3g", null, se, { above: W(h) === 0 }), J(ue, e);
	}, [() => y(W(f))]), Qi(ae, "clientWidth", (e) => F(i, e)), q(e, re), Qe();
}
Nr([
	"click",
	"pointermove",
	"keydown"
]);
function ys({ width: e, height: t, columns: n, rows: r }) {
	let i = Math.min(48, e / n, t / r);
	return {
		x: Math.min(0, (n - e / i) / 2),
		y: 0,
		cell: i
	};
}
function bs(e, t, n, r, i) {
	let a = ys(t), o = Math.max(a.cell, Math.min(48, e.cell * n));
	return o <= a.cell ? a : ws({
		x: e.x + r / e.cell - r / o,
		y: e.y + i / e.cell - i / o,
		cell: o
	}, t);
}
function xs(e, t, n, r) {
	return ws({
		...e,
		x: e.x - n / e.cell,
		y: e.y - r / e.cell
	}, t);
}
function Ss(e, t, n, r) {
	let i = (t, n, r) => Math.min(n, Math.max(t, n + 1 - r / e.cell));
	return ws({
		...e,
		x: i(e.x, n, t.width),
		y: i(e.y, r, t.height)
	}, t);
}
function Cs(e, t, n, r) {
	return ws({
		...e,
		x: n - t.width / e.cell / 2,
		y: r - t.height / e.cell / 2
	}, t);
}
function ws(e, { width: t, height: n, columns: r, rows: i }) {
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
var Ts = 160;
function Es(e) {
	return e >= 1 ? 0 : Math.ceil(-Math.log2(e) - 1e-9);
}
function Ds(e, t, n, r, i, a, o) {
	let s = 256 << e, c = (e, t) => Math.max(0, Math.min(Math.floor(e / s), Math.floor((t - 1) / s))), l = [];
	for (let e = c(n, o); e <= c(i, o); e++) for (let n = c(t, a); n <= c(r, a); n++) l.push([n, e]);
	return l;
}
function Os(e, t, n = !1) {
	let r = Math.min(1, Math.sqrt(Math.abs(e) / t));
	return Math.round(n ? 128 + 127 * r * Math.sign(e) : 255 * r);
}
function ks(e, t, n, r, i, a, { spread: o = !0, signed: s = !1 } = {}) {
	let c = /* @__PURE__ */ new Uint8Array(65536);
	s && c.fill(128);
	let l = 256 << r, [u, d] = [i * l, a * l], f = Math.min(d + l, e.queries.length);
	if (n && u >= f) return c;
	for (let i = d; i < f; i++) {
		let a = (i - d >> r) * 256, f = n ? i + 1 : e.keys.length, p = f - e.map.width, m = o && p > 0 ? Os(e.rest(i) / p, t) : 0;
		if (m > 0) for (let e = 0; e < 256 && u + (e << r) < f; e++) c[a + e] < m && (c[a + e] = m);
		e.visit(i, (e, n) => {
			if (e < u || e >= u + l) return;
			let i = a + (e - u >> r), o = Os(n, t, s);
			(s ? Math.abs(o - 128) > Math.abs(c[i] - 128) : o > c[i]) && (c[i] = o);
		});
	}
	return c;
}
function As(e, t) {
	let n = {
		column: 0,
		weight: 0
	};
	return e.visit(t, (e, t) => Math.abs(t) > Math.abs(n.weight) && Object.assign(n, {
		column: e,
		weight: t
	})), n;
}
var js = class {
	kept = /* @__PURE__ */ new Map();
	get(e, t) {
		let n = this.kept.get(e) ?? t();
		return this.kept.delete(e), this.kept.set(e, n), this.kept.size > Ts && this.kept.delete(this.kept.keys().next().value), n;
	}
	has(e) {
		return this.kept.has(e);
	}
};
//#endregion
//#region src/draw/coarse.ts
function Ms(e) {
	let [{ rows: t, columns: n }] = e;
	return {
		rows: t,
		columns: n,
		share: (t, n) => e.reduce((r, i) => r + i.share(t, n) / e.length, 0)
	};
}
function Ns(e) {
	let t = Fs(e);
	return t[Math.floor((t.length - 1) * .9)] || 1;
}
var Ps = (e) => Fs(e).at(-1);
function Fs(e) {
	return Array.from({ length: e.rows }, (t, n) => {
		let r = 0;
		for (let t = 0; t < e.columns; t++) r = Math.max(r, e.share(n, t));
		return r;
	}).sort((e, t) => e - t);
}
function Is(e, t) {
	return Rs(e, (n, r) => Os(e.share(n, r), t));
}
function Ls(e, t, n, r) {
	return Rs(e, (i, a) => {
		let o = Math.min(e.size, t - a * e.size) - (e.withoutFirst && a === 0 ? 1 : 0);
		return Os(e.share(i, a) / Math.max(1, n && i === a ? (o + 1) / 2 : o), r);
	});
}
function Rs(e, t) {
	let n = new Uint8Array(e.rows * e.columns);
	for (let r = 0; r < e.rows; r++) for (let i = 0; i < e.columns; i++) n[r * e.columns + i] = t(r, i);
	return n;
}
function zs(e, t) {
	let [n, r] = [Math.min(t, e.columns), Math.min(t, e.rows)], i = new Uint8Array(n * r), a = Is(e, 1);
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
function Bs(e, t) {
	let n = Math.log2(e / Math.max(8, t * 1.5)) / 2;
	return Math.max(0, Math.min(1, n));
}
function Vs(e, t, n, r, i, a, o) {
	let s = Math.max(1, Math.round(1 / o)), c = (e) => Math.max(t, t + (e - r) * o), l = (e) => n + (e - i) * o, u = Math.floor(i / s) * s;
	e.beginPath(), e.moveTo(t, l(u));
	for (let t = u; t < a; t += s) e.lineTo(c(t + s), l(t)), e.lineTo(c(t + s), l(t + s));
	e.lineTo(t, l(Math.ceil(a / s) * s)), e.closePath(), e.clip();
}
//#endregion
//#region src/draw/matrix.ts
function Hs({ camera: e, room: t, left: n, top: r }) {
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
function Us(e, { queries: t, keys: n, numbered: r, narrow: i, cursor: a }, { ink: o, quiet: s }) {
	let { cell: c, x: l, y: u } = e.camera, d = Hs(e), f = r && c < 1, p = f ? 2 ** Math.ceil(Math.log2(40 / c)) : Math.max(1, Math.ceil(13 / c)), m = (e, t, n) => f ? t.toLocaleString("en") : Ta(e[t].text, n), h = [], g = (e) => Math.ceil(Math.floor(e) / p) * p;
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
function Ws(e, t, { edge: n, quiet: r }) {
	let { camera: i, left: a, top: o } = e, { x: s, y: c, right: l, bottom: u } = Hs(e), d = (e, t, n, r, i) => ({
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
function Gs({ room: e, left: t, top: n }) {
	let r = Math.min(t - 20, n - 14) / Math.max(e.columns, e.rows);
	return {
		x: 8,
		y: 6,
		width: e.columns * r,
		height: e.rows * r,
		scale: r
	};
}
function Ks(e, t, { x: n, y: r, width: i, height: a, scale: o }, s, c) {
	let { first: l, last: u } = Hs(s);
	e.imageSmoothingEnabled = !0, e.drawImage(t, n, r, i, a), e.lineWidth = 1, e.strokeStyle = c.edge, e.strokeRect(n - .5, r - .5, i + 1, a + 1), e.lineWidth = 2, e.strokeStyle = c.negative;
	let d = {
		width: Math.max(4, (u.column - l.column) * o),
		height: Math.max(4, (u.row - l.row) * o)
	};
	e.strokeRect(Math.min(n + l.column * o, n + i - d.width), Math.min(r + l.row * o, r + a - d.height), d.width, d.height);
}
//#endregion
//#region src/draw/mapPainter.ts
var qs = class {
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
		this.most = r ? Ns(r) : 1, this.shares = r && ls(Is(r, this.most), r.columns, r.rows, this.dark), this.means = r && this.map.map.hasRows ? ls(Ls(r, this.map.map.keys, this.causal, this.ceiling), r.columns, r.rows, this.dark) : null, this.name = [
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
		return this.tiles ? this.map.map.hasRows ? Bs(this.tiles.size * e.cell, this.tiles.size * ys(t).cell) : 0 : 1;
	}
	paint(e, t, n) {
		let r = this.near(t.camera, t.room);
		e.imageSmoothingEnabled = !1, this.means && r > 0 && this.paintTiles(e, t, this.means, 1), this.shares && r < 1 && this.paintTiles(e, t, this.shares, 1 - r), r > 0 && ua(e, this.cells(t, r, n)), ua(e, this.firstColumn(t));
	}
	firstColumn(e) {
		let { camera: t, left: n, top: r } = e, { first: i, last: a } = Hs(e);
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
		let { camera: r, room: i, left: a, top: o } = e, { first: s, last: c } = Hs(e), l = Es(r.cell), u = 256 << l, d = u * r.cell, f = performance.now(), p = [];
		for (let [e, m] of Ds(l, s.column, s.row, c.column, c.row, i.columns, i.rows)) {
			let i = `${this.name} ${l} ${e} ${m}`;
			if (n && !this.cache.has(i) && performance.now() - f > 14) {
				requestAnimationFrame(n);
				break;
			}
			let { signed: s } = this, c = this.cache.get(i, () => ls(ks(this.map, this.ceiling, this.causal, l, e, m, {
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
		let { size: i, columns: a, rows: o } = this.tiles, { x: s, y: c, cell: l } = t.camera, { first: u, last: d } = Hs(t), [f, p] = [Math.floor(u.column / i), Math.floor(u.row / i)], m = Math.min(a, Math.ceil(d.column / i)) - f, h = Math.min(o, Math.ceil(d.row / i)) - p;
		e.save(), this.causal && Vs(e, t.left, t.top, s, c, d.row, l), e.globalAlpha = r, e.drawImage(n, f, p, m, h, t.left + (f * i - s) * l, t.top + (p * i - c) * l, m * i * l, h * i * l), e.restore();
	}
	picture(e) {
		let { camera: t, left: n, top: r } = e, i = Hs(e), { first: a, last: o } = i, s = [];
		if ((o.column - a.column) * (o.row - a.row) <= 4200 && this.near(t, e.room) === 1) {
			for (let e = Math.floor(a.row); e < o.row; e++) this.map.visit(e, (i, c) => {
				if (i < Math.floor(a.column) || i >= o.column) return;
				let l = cs(this.dark, Os(c, this.ceiling, this.signed) / 255, this.signed);
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
function Js(e, t, n, r, i, a, o) {
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
		colour: cs(n, a / 23, r),
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
var Ys = /* @__PURE__ */ K(": <strong> </strong>", 1), Xs = /* @__PURE__ */ K(" <strong> </strong>", 1), Zs = /* @__PURE__ */ K("<span class=\"hint svelte-1mujeyx\">· most to <bdi> </bdi> </span>"), Qs = /* @__PURE__ */ K("<bdi> </bdi> <bdi> </bdi> <!> <!> <!>", 1), $s = /* @__PURE__ */ K("<span class=\"hint svelte-1mujeyx\">Rows attend, columns are attended to. Wheel or pinch to zoom, drag to move.</span>"), ec = /* @__PURE__ */ K("<div class=\"readout svelte-1mujeyx\"><span class=\"told svelte-1mujeyx\" role=\"status\"><!></span> <span class=\"zoom svelte-1mujeyx\" role=\"group\" aria-label=\"Zoom\"><button type=\"button\" class=\"plain\" aria-label=\"Zoom in\">+</button> <button type=\"button\" class=\"plain\" aria-label=\"Zoom out\">−</button> <button type=\"button\" class=\"plain\">Fit</button></span> <span class=\"scale svelte-1mujeyx\"><span class=\"level svelte-1mujeyx\"> </span> <!></span></div>");
function tc(e, t) {
	j(t, !0);
	let n = Xe("store"), r = /* @__PURE__ */ M(() => t.painter.tiles !== null && t.near < .5), i = /* @__PURE__ */ M(() => {
		if (!t.cursor || !n.queries[t.cursor.row] || !n.keys[t.cursor.column]) return null;
		let { row: e, column: r } = t.cursor, { map: i, tiles: o } = t.painter, s = 0;
		i.visit(e, (e, t) => e === r && (s = t));
		let c = i.rest(e), l = i.map.hasRows ? r === 0 && t.painter.firsts ? `${$(t.painter.firsts[e])} of all, left out` : s === 0 && c > 0 ? `among the rest of ${$(c)}` : $(s) + (t.painter.firsts && e > 0 ? Eo([t.painter.firsts[e]]) : "") : "", u = o && i.map.hasRows ? As(i, e) : null, d = u && u.column !== r ? {
			to: n.keys[u.column],
			weight: $(u.weight)
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
			share: $(e.share(a, o))
		};
	}
	let o = /* @__PURE__ */ M(() => {
		let { tiles: e, map: n, ceiling: i, most: a, signed: o } = t.painter;
		if (!W(r)) return {
			text: (t.painter.firsts ? "first column, grey: its share, left out; " : "") + (t.level === 0 ? "every token" : `each pixel: strongest of ${2 ** t.level} × ${2 ** t.level} tokens`),
			low: o ? $(-i) : "0",
			top: `${i < n.map.scale * .99 ? "≥ " : ""}${$(i)}`
		};
		let s = e.size.toLocaleString("en");
		return {
			text: `${e.withoutFirst ? "first column, grey: the first token's share, left out; " : ""}each tile: share of attention, ${s} × ${s} tokens${n.map.hasRows ? "" : "; no rows of this head are kept"}`,
			low: "0",
			top: `${a < Ps(e) * .99 ? "≥ " : ""}${$(a)}`
		};
	});
	var s = ec(), c = I(s), l = I(c), u = (e) => {
		var t = Qs(), n = L(t), r = R(n, !0), a = z(n), o = z(a), s = R(o, !0), c = z(o), l = z(c), u = (e) => {
			var t = Ys(), n = R(z(L(t)), !0);
			V(() => J(n, W(i).told)), q(e, t);
		};
		Y(l, (e) => {
			W(i).told && e(u);
		});
		var d = z(l, 2), f = (e) => {
			var t = Xs(), n = L(t), r = R(z(n), !0);
			V(() => {
				J(n, `· tile ${W(i).tile.tokens ?? ""}: `), J(r, W(i).tile.share);
			}), q(e, t);
		};
		Y(d, (e) => {
			W(i).tile && e(f);
		});
		var p = z(d, 2), m = (e) => {
			var t = Zs(), n = z(I(t)), r = R(n, !0), a = z(n);
			A(t), V((e) => {
				J(r, e), J(a, ` (${W(i).most.to.start ?? ""}): ${W(i).most.weight ?? ""}, double-click goes there`);
			}, [() => Ta(W(i).most.to.text, 24)]), q(e, t);
		};
		Y(p, (e) => {
			W(i).most && e(m);
		}), V((e, t) => {
			J(r, e), J(a, ` (${W(i).from.start ?? ""}) → `), J(s, t), J(c, ` (${W(i).to.start ?? ""})`);
		}, [() => Ta(W(i).from.text, 24), () => Ta(W(i).to.text, 24)]), q(e, t);
	}, d = (e) => {
		q(e, $s());
	};
	Y(l, (e) => {
		W(i) ? e(u) : e(d, -1);
	}), A(c);
	var f = z(c, 2), p = I(f), m = z(p, 2), h = z(m, 2);
	A(f);
	var g = z(f, 2), _ = I(g), v = R(_, !0);
	fs(z(_, 2), {
		get low() {
			return W(o).low;
		},
		get high() {
			return W(o).top;
		},
		get dark() {
			return n.dark;
		},
		get signed() {
			return t.painter.signed;
		}
	}), A(g), A(s), V((e) => {
		Q(_, "data-level", t.level), Q(_, "data-near", e), J(v, W(o).text);
	}, [() => t.near.toFixed(2)]), G("click", p, () => t.zoom(1.6)), G("click", m, () => t.zoom(1 / 1.6)), G("click", h, () => t.zoom(null)), q(e, s), Qe();
}
Nr(["click"]);
//#endregion
//#region src/views/MatrixView.svelte
var nc = /* @__PURE__ */ K("<!> <div class=\"matrix svelte-292knk\"><canvas tabindex=\"0\" role=\"application\" class=\"svelte-292knk\"></canvas></div> <!>", 1);
function rc(e, t) {
	j(t, !0);
	let n = Xe("store"), r, i = /* @__PURE__ */ P({
		width: 600,
		height: 400
	}), a = /* @__PURE__ */ P(null), o = /* @__PURE__ */ P(null), s = /* @__PURE__ */ P(null), c = /* @__PURE__ */ P(0), l = new js(), u = /* @__PURE__ */ M(() => n.heads[0]), d = /* @__PURE__ */ M(() => new qs(n, W(u), l)), f = /* @__PURE__ */ M(() => W(d).tiles), p = /* @__PURE__ */ M(() => W(i).width < 560), m = /* @__PURE__ */ M(() => W(p) ? 76 : 120), h = /* @__PURE__ */ M(() => W(p) ? 70 : 96), g = /* @__PURE__ */ M(() => ({
		width: Math.max(1, W(i).width - W(m) - 8),
		height: Math.max(1, W(i).height - W(h) - 8),
		columns: n.keys.length,
		rows: n.queries.length
	})), _ = /* @__PURE__ */ M(() => W(a) ?? ys(W(g))), v = /* @__PURE__ */ M(() => ({
		camera: W(_),
		room: W(g),
		left: W(m),
		top: W(h)
	})), y = /* @__PURE__ */ M(() => Hs(W(v))), b = /* @__PURE__ */ M(() => Es(W(_).cell)), x = /* @__PURE__ */ M(() => W(d).near(W(_), W(g))), S = /* @__PURE__ */ M(() => W(f) !== null && W(x) < .5), C = /* @__PURE__ */ M(() => W(f) && W(_).cell >= ys(W(g)).cell * 1.01 ? Gs(W(v)) : null), w = /* @__PURE__ */ M(() => W(o) ? te(W(o)) : W(s)), ee = /* @__PURE__ */ M(() => {
		if (!n.hasSentences || n.selection.sentences !== "all") return null;
		let e = n.queries.findIndex((e) => e.start === n.querySide.b_start);
		return e < 0 ? null : e;
	}), T = /* @__PURE__ */ M(() => ({
		queries: n.queries,
		keys: n.keys,
		numbered: W(f) !== null,
		narrow: W(p),
		cursor: W(w)
	}));
	B(() => {
		n.queries, n.keys, F(a, null), F(o, F(s, null));
	}), B(() => {
		let e = n.found?.unit;
		e === void 0 || e >= W(g).rows || (F(o, null), F(s, {
			row: e,
			column: As(W(d).map, e).column
		}), F(a, Cs(W(_), W(g), W(s).column + .5, e + .5)));
	});
	function te([e, t]) {
		return e < W(y).x || t < W(y).y || e >= W(y).right || t >= W(y).bottom ? null : {
			column: Math.floor(W(_).x + (e - W(m)) / W(_).cell),
			row: Math.floor(W(_).y + (t - W(h)) / W(_).cell)
		};
	}
	B(() => {
		W(c);
		let e = Math.min(window.devicePixelRatio || 1, 3);
		r.width = Math.round(W(i).width * e), r.height = Math.round(W(i).height * e);
		let t = r.getContext("2d");
		t.scale(e, e), t.save(), t.beginPath(), t.rect(Math.max(W(m), W(y).x), Math.max(W(h), W(y).y), W(y).right - Math.max(W(m), W(y).x), W(y).bottom - Math.max(W(h), W(y).y)), t.clip(), W(d).paint(t, W(v), () => en(c)), W(w) && ne(t, W(w)), t.restore(), ua(t, [...Us(W(v), W(T), n.colours), ...Ws(W(v), W(ee), n.colours)]), W(C) && W(d).shares && Ks(t, W(d).shares, W(C), W(v), n.colours);
	});
	function ne(e, { row: t, column: r }) {
		e.strokeStyle = n.colours.negative, e.lineWidth = 2;
		let i = W(S) ? W(f).size : 1, a = Math.max(6, i * W(_).cell), o = (e) => (Math.floor(e / i) + .5) * i;
		e.strokeRect(W(m) + (o(r) - W(_).x) * W(_).cell - a / 2, W(h) + (o(t) - W(_).y) * W(_).cell - a / 2, a, a);
	}
	B(() => {
		let e = new ResizeObserver(() => F(i, {
			width: r.clientWidth,
			height: r.clientHeight
		}));
		return e.observe(r), () => e.disconnect();
	});
	function re() {
		let e = Math.max(0, W(y).x - W(m)), t = {
			...W(v),
			left: W(m) - e
		}, r = Hs(t), i = W(S) ? W(d).most : W(d).ceiling, a = Js(8, r.bottom + 14, n.dark, W(d).signed, W(d).signed ? $(-i) : "0", `≥ ${$(i)}`, n.colours.quiet), o = `head ${n.nameOf(W(u))}${n.selection.weighting === "norm" ? ", by norm" : ""}${n.withoutFirst ? ", without the first token (its share in grey)" : ""}`;
		return {
			width: Math.max(r.right + 8, 240),
			height: r.bottom + 46,
			marks: [
				...W(d).picture(t),
				...Us(t, {
					...W(T),
					cursor: null
				}, n.colours),
				...Ws(t, W(ee), n.colours),
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
	B(() => {
		n.picture = re;
	});
	function E(e) {
		let t = r.getBoundingClientRect();
		return [e.clientX - t.left, e.clientY - t.top];
	}
	function ie(e) {
		e.preventDefault();
		let [t, n] = E(e);
		F(o, [t, n]), F(a, bs(W(_), W(g), Math.exp(-e.deltaY * .0022), t - W(m), n - W(h)));
	}
	B(() => (r.addEventListener("wheel", ie, { passive: !1 }), () => r.removeEventListener("wheel", ie)));
	let ae = /* @__PURE__ */ new Map();
	function oe(e) {
		let t = ae.get(e.pointerId), [n, r] = E(e);
		if (F(o, [n, r]), !t) return;
		let i = [...ae.values()].filter((t) => t.pointerId !== e.pointerId);
		if (i.length === 1) {
			let o = (e, t) => Math.hypot(e.clientX - t.clientX, e.clientY - t.clientY);
			F(a, bs(W(_), W(g), o(e, i[0]) / Math.max(1, o(t, i[0])), n - W(m), r - W(h)));
		} else F(a, xs(W(_), W(g), e.clientX - t.clientX, e.clientY - t.clientY));
		ae.set(e.pointerId, e);
	}
	function se(e) {
		let [t, n] = E(e);
		W(C) && t >= W(C).x && n >= W(C).y && t <= W(C).x + W(C).width && n <= W(C).y + W(C).height ? F(a, Cs(W(_), W(g), (t - W(C).x) / W(C).scale, (n - W(C).y) / W(C).scale)) : (r.setPointerCapture(e.pointerId), ae.set(e.pointerId, e), F(o, [t, n]), F(s, te([t, n]) ?? W(s)));
	}
	let ce = (e) => ae.delete(e.pointerId);
	function le(e) {
		e.pointerType === "mouse" && ae.size === 0 && F(o, F(s, null));
	}
	function ue(e) {
		if (e === null) {
			F(a, null);
			return;
		}
		let t = W(w) ? [(W(w).column + .5 - W(_).x) * W(_).cell, (W(w).row + .5 - W(_).y) * W(_).cell] : [W(g).width / 2, W(g).height / 2];
		F(a, bs(W(_), W(g), e, t[0], t[1]));
	}
	function de(e) {
		let t = {
			ArrowLeft: [0, -1],
			ArrowRight: [0, 1],
			ArrowUp: [-1, 0],
			ArrowDown: [1, 0]
		}[e.key];
		if (t) {
			let n = (e.shiftKey ? 10 : 1) * (W(S) ? W(f).size : 1), r = W(w) ?? W(s) ?? {
				row: 0,
				column: 0
			}, i = (e, t) => Math.max(0, Math.min(t - 1, e));
			F(o, null), F(s, {
				row: i(r.row + t[0] * n, W(g).rows),
				column: i(r.column + t[1] * n, W(g).columns)
			}), F(a, Ss(W(_), W(g), W(s).column, W(s).row));
		} else if (e.key === "+" || e.key === "=") ue(1.5);
		else if (e.key === "-") ue(1 / 1.5);
		else if (e.key === "0") F(a, null);
		else if (e.key === "Enter") fe();
		else return;
		e.preventDefault();
	}
	function fe() {
		let e = W(w) ?? W(s);
		e && W(d).map.map.hasRows && (F(o, null), F(s, {
			row: e.row,
			column: As(W(d).map, e.row).column
		}), F(a, Cs(W(_), W(g), W(s).column + .5, W(s).row + .5)));
	}
	var pe = nc(), me = L(pe);
	Jo(me, { single: !0 });
	var D = z(me, 2), he = I(D);
	ea(he, (e) => r = e, () => r), A(D), tc(z(D, 2), {
		get painter() {
			return W(d);
		},
		get cursor() {
			return W(w);
		},
		get level() {
			return W(b);
		},
		get near() {
			return W(x);
		},
		zoom: ue
	}), V((e) => Q(he, "aria-label", `Map of head ${e ?? ""}: ${W(g).rows ?? ""} by ${W(g).columns ?? ""} tokens. Arrow keys move, Enter goes to what a token attends to most, plus and minus zoom, 0 shows all.`), [() => n.nameOf(W(u))]), G("pointerdown", he, se), G("pointermove", he, oe), G("pointerup", he, ce), Mr("pointercancel", he, ce), Mr("pointerleave", he, le), G("keydown", he, de), G("dblclick", he, fe), q(e, pe), Qe();
}
Nr([
	"pointerdown",
	"pointermove",
	"pointerup",
	"keydown",
	"dblclick"
]);
//#endregion
//#region src/core/grid.ts
var ic = 34, ac = 6, oc = 14, sc = (e) => e < 40 ? ac / 2 : ac, cc = (e) => e >= 44, lc = 6;
function uc(e, t, { by: n, reverse: r, kept: i, answer: a }) {
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
function dc(e, t, n, r = null) {
	let i = t ? ic : ac;
	if (t) {
		let t = [...new Set(e.map(({ layer: e }) => e))], a = Math.max(1, ...t.map((t) => e.filter((e) => e.layer === t).length)), o = r ?? Math.max(24, Math.min(112, Math.floor((n - i - ac) / a) - ac)), s = sc(o), c = (e) => lc + e * (o + s + (cc(o) ? oc : 0)), l = /* @__PURE__ */ new Map();
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
			height: c(t.length) + lc,
			rowTop: c
		};
	}
	let a = r ?? (n < 500 ? 62 : 78), o = sc(a), s = Math.max(1, Math.floor((n - i) / (a + o))), c = (e) => lc + e * (a + o + (cc(a) ? oc : 0));
	return {
		cells: e.map((e, t) => ({
			...e,
			x: i + t % s * (a + o),
			y: c(Math.floor(t / s))
		})),
		size: a,
		perRow: s,
		width: n,
		height: c(Math.ceil(e.length / s)) + lc,
		rowTop: c
	};
}
//#endregion
//#region src/core/contract.ts
var fc = "attlas.view/4", pc = [
	"behaviour",
	"pattern",
	"shape"
], mc = {
	u8: 1,
	u16: 2,
	u32: 4,
	i8: 1,
	i16: 2
};
function hc(e, t) {
	if (e.schema !== "attlas.view/4") throw Error(`This view reads ${fc}, and the data is ${String(e.schema)}: make it again with the same Attlas.`);
	if (t !== e.bytes) throw Error(`The data of this view is cut off: ${t} bytes of ${e.bytes}. Save the page again.`);
	for (let t of [e, ...e.panes ?? []]) gc(t, e.bytes);
}
function gc({ sides: e, attentions: t }, n) {
	for (let r of t) {
		let t = e[r.queries]?.tokens.length, i = e[r.keys]?.tokens.length;
		for (let e of r.layers) {
			let { shape: a } = e.weights, o = (e.with_rows ?? e.heads).length;
			if (a[0] !== o || a[1] !== t || !e.columns && a[2] !== i || !_c(e, t, i ?? 0)) throw Error(`Layer ${e.layer} of ${r.attention} attention does not fit its tokens.`);
			for (let t of vc(e)) if (t.at + yc(t) > n) throw Error(`Layer ${e.layer} of ${r.attention} attention lies outside the data.`);
		}
	}
}
function _c({ tiles: e, heads: t }, n, r) {
	if (!e) return !0;
	let [i, a, o] = e.shares.shape;
	return e.first && (e.first.shape[0] !== i || e.first.shape[1] !== a) ? !1 : i === t.length && a === Math.ceil(n / e.size) && o === Math.ceil(r / e.size);
}
function vc(e) {
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
function yc(e) {
	return e.shape.reduce((e, t) => e * t, mc[e.type]);
}
//#endregion
//#region src/core/names.ts
var bc = class {
	all;
	kinds;
	first = /* @__PURE__ */ new Map();
	second = /* @__PURE__ */ new Map();
	constructor(e) {
		this.all = e, this.kinds = pc.filter((t) => e.some((e) => e.kind === t && e.heads.length > 0));
		for (let t of e) {
			for (let e of t.heads) this.first.set(xc(t.kind, e), {
				name: t,
				confidence: e[3]
			});
			for (let e of t.second) this.second.set(xc(t.kind, e), {
				name: t,
				confidence: e[3]
			});
		}
	}
	best(e, ...t) {
		return this.first.get(xc(e, t));
	}
	called(...e) {
		for (let t of this.kinds) {
			let n = this.best(t, ...e)?.name;
			if (n && n.name !== "none") return n;
		}
		return null;
	}
	secondBest(e, ...t) {
		return this.second.get(xc(e, t));
	}
	counted(e, t) {
		return this.all.filter((t) => t.kind === e).map((e) => ({
			name: e,
			count: e.heads.filter(([e]) => e === t).length
		})).filter(({ count: e }) => e > 0);
	}
}, xc = (e, [t, n, r]) => `${e} ${t} ${n}.${r}`;
//#endregion
//#region src/core/units.ts
function Sc(e, t) {
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
function Cc(e, t, n) {
	let r = e.b_start ?? e.tokens.length, i = [];
	for (let n = 0; n < e.tokens.length; n++) {
		let r = i.at(-1);
		t === "words" && r && e.words.length > 0 && e.words[n] === e.words[n - 1] ? (r.text = wc(r.text, e.tokens[n]), r.end = n + 1) : i.push({
			text: e.tokens[n],
			start: n,
			end: n + 1
		});
	}
	return i.filter((e) => n === "all" || n === "a" == e.start < r);
}
function wc(e, t) {
	let n = [...e].at(-2);
	return n && e.endsWith("…") && t.startsWith(`…${n}`) ? e.slice(0, -1) + t.slice(1 + n.length) : e + t.replace(/^##/, "");
}
function Tc(e) {
	return e === "all" ? ["all", "all"] : e.split("-");
}
function Ec(e, t) {
	let n = new Int32Array(t).fill(-1);
	return e.forEach((e, t) => n.fill(t, e.start, e.end)), n;
}
var Dc = class {
	map;
	queries;
	keys;
	unitOfKey;
	plainKeys;
	constructor(e, t, n, r = Ec(n, e.keys)) {
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
	sum(e) {
		let { start: t, end: n } = this.queries[e], r = 0;
		for (let e = t; e < n; e++) r += this.map.sum(e);
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
}, Oc = 4, kc = .75, Ac = .001, jc = class {
	#e = /* @__PURE__ */ P();
	get selection() {
		return W(this.#e);
	}
	set selection(e) {
		F(this.#e, e, !0);
	}
	#t = /* @__PURE__ */ P(null);
	get hover() {
		return W(this.#t);
	}
	set hover(e) {
		F(this.#t, e, !0);
	}
	#n = /* @__PURE__ */ P(!1);
	get detail() {
		return W(this.#n);
	}
	set detail(e) {
		F(this.#n, e, !0);
	}
	#r = /* @__PURE__ */ P(null);
	get pointed() {
		return W(this.#r);
	}
	set pointed(e) {
		F(this.#r, e, !0);
	}
	#i = /* @__PURE__ */ P(null);
	get found() {
		return W(this.#i);
	}
	set found(e) {
		F(this.#i, e);
	}
	#a = /* @__PURE__ */ P(!1);
	get dark() {
		return W(this.#a);
	}
	set dark(e) {
		F(this.#a, e, !0);
	}
	stores = [];
	constructor(e, t) {
		this.selection = structuredClone(e), this.dark = t;
	}
}, Mc = class {
	scene;
	buffer;
	pane;
	names;
	shared;
	picture = null;
	linkCache = /* @__PURE__ */ new Map();
	constructor(e, t, n, r = null, i = null) {
		this.scene = e, this.buffer = t, this.pane = r ?? e, this.names = i?.names ?? new bc(e.names), this.shared = i?.shared ?? new jc(e.selection, n), this.shared.stores.push(this);
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
		return this.dark ? ia.dark : ia.light;
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
	#e = /* @__PURE__ */ M(() => this.pane.attentions.find((e) => e.attention === this.selection.attention) ?? this.pane.attentions[0]);
	get attention() {
		return W(this.#e);
	}
	set attention(e) {
		F(this.#e, e);
	}
	get rollout() {
		return this.attention.attention.endsWith("rollout");
	}
	#t = /* @__PURE__ */ M(() => this.attention.layers.find((e) => e.layer === this.selection.layer) ?? this.attention.layers[0]);
	get layer() {
		return W(this.#t);
	}
	set layer(e) {
		F(this.#t, e);
	}
	#n = /* @__PURE__ */ M(() => {
		let e = this.layer.heads.filter((e) => this.selection.heads.includes(e));
		return e.length > 0 ? e : this.layer.heads;
	});
	get heads() {
		return W(this.#n);
	}
	set heads(e) {
		F(this.#n, e);
	}
	nameOf(e, t = this.layer.layer) {
		return this.rollout ? `rollout to ${t}` : `${t}.${e}`;
	}
	hasNames(e, t) {
		return pc.every((n) => {
			let r = this.selection[n];
			return r === "" || this.names.best(n, this.attention.attention, e, t)?.name.name === r;
		});
	}
	#r = /* @__PURE__ */ M(() => this.pane.sides[this.attention.queries]);
	get querySide() {
		return W(this.#r);
	}
	set querySide(e) {
		F(this.#r, e);
	}
	#i = /* @__PURE__ */ M(() => this.pane.sides[this.attention.keys]);
	get keySide() {
		return W(this.#i);
	}
	set keySide(e) {
		F(this.#i, e);
	}
	#a = /* @__PURE__ */ M(() => this.attention.queries === this.attention.keys && this.querySide.b_start !== null);
	get hasSentences() {
		return W(this.#a);
	}
	set hasSentences(e) {
		F(this.#a, e);
	}
	#o = /* @__PURE__ */ M(() => [this.querySide, this.keySide].some((e) => e.words.some((t, n) => n > 0 && t === e.words[n - 1])));
	get hasWords() {
		return W(this.#o);
	}
	set hasWords(e) {
		F(this.#o, e);
	}
	#s = /* @__PURE__ */ M(() => this.attention.layers.some((e) => e.value_norms));
	get hasNorms() {
		return W(this.#s);
	}
	set hasNorms(e) {
		F(this.#s, e);
	}
	get normed() {
		return this.selection.weighting === "norm" && this.hasNorms && this.selection.kind !== "neuron";
	}
	#c = /* @__PURE__ */ M(() => this.attention.shares && this.keySide.tokens.length > 1 && this.attention.layers.every(({ tiles: e }) => !e || e.first));
	get hasFirst() {
		return W(this.#c);
	}
	set hasFirst(e) {
		F(this.#c, e);
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
	#l = /* @__PURE__ */ M(() => this.units(this.querySide, 0));
	get queries() {
		return W(this.#l);
	}
	set queries(e) {
		F(this.#l, e);
	}
	#u = /* @__PURE__ */ M(() => this.units(this.keySide, 1));
	get keys() {
		return W(this.#u);
	}
	set keys(e) {
		F(this.#u, e);
	}
	#d = /* @__PURE__ */ M(() => Ec(this.keys, this.keySide.tokens.length));
	get unitOfKey() {
		return W(this.#d);
	}
	set unitOfKey(e) {
		F(this.#d, e);
	}
	units(e, t) {
		let n = this.hasSentences ? Tc(this.selection.sentences)[t] : "all";
		return Cc(e, this.selection.level, n);
	}
	map(e, t = this.layer.layer, n = this.withoutFirst) {
		return Ia(this.keySide.tokens.length, this.buffer, this.attention, t, e, {
			normed: this.normed,
			withoutFirst: n
		});
	}
	tiles(e, t = this.layer.layer) {
		return La(this.buffer, this.attention, t, e, this.withoutFirst);
	}
	hasRows(e, t = this.layer.layer) {
		let { with_rows: n } = this.attention.layers.find((e) => e.layer === t);
		return n?.includes(e) ?? !0;
	}
	hasHead(e, t) {
		return this.attention.layers.find((t) => t.layer === e)?.heads.includes(t) ?? !1;
	}
	unitMap(e, t = this.layer.layer, n = this.withoutFirst) {
		return new Dc(this.map(e, t, n), this.queries, this.keys, this.unitOfKey);
	}
	links(e, t = this.layer.layer) {
		return this.cached(e, t).links;
	}
	incoming(e, t = this.layer.layer) {
		let n = this.cached(e, t);
		return n.incoming ??= Sc(n.links, this.keys.length);
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
			let n = this.unitMap(e, t), r = this.attention.shares ? Ac : Ac * n.map.scale;
			a = {
				links: n.links(r),
				total: this.queries.reduce((e, t, r) => e + n.sum(r), 0)
			}, this.linkCache.set(i, a);
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
		return n.ceiling ??= Ha(n.links, this.attention.shares);
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
			let r = this.cached(e, t), i = n === null ? r.best ??= Ga(r.links) : null;
			return {
				head: e,
				colour: this.colourOf(e, t),
				links: r.links,
				incoming: this.incoming(e, t),
				best: i
			};
		}), i = r.map(({ links: e }) => e), { shares: a, signed: o } = this.attention, s = Math.max(this.ceiling(e, t), a ? Math.min(1, Oc / this.keys.length) : 0), c = n ?? Ua(i, a ? 1 : s), l = Wa(i, c), u = this.keys.length === this.keySide.tokens.length || this.selection.sentences === "all", d = a && u ? this.total(r.map(({ head: e }) => [e, t])) : r.reduce((e, { links: t }) => t.weight.reduce((e, t) => e + Math.abs(t), e), 0);
		return {
			heads: r,
			least: l,
			cut: l > c,
			ceiling: s,
			mass: Ka(r, l, d),
			signed: o,
			withoutFirst: this.withoutFirst
		};
	}
	total(e) {
		return e.reduce((e, [t, n]) => e + this.cached(t, n).total, 0);
	}
	#f = /* @__PURE__ */ M(() => {
		let e = this.selection.pinned.map(([e, t]) => [e, this.unitAt(e, t)]), t = this.hover ? [...e, this.hover] : e, n = /* @__PURE__ */ new Set();
		return t.filter(([e, t]) => t >= 0 && t < this.unitsAt(e).length && !n.has(`${e}${t}`) && n.add(`${e}${t}`));
	});
	get active() {
		return W(this.#f);
	}
	set active(e) {
		F(this.#f, e);
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
	#p = /* @__PURE__ */ M(() => {
		if (!this.selection.asked) return null;
		let e = [this.unitAt("query", this.selection.asked[0]), this.unitAt("key", this.selection.asked[1])];
		return e[0] >= 0 && e[1] >= 0 ? e : null;
	});
	get asked() {
		return W(this.#p);
	}
	set asked(e) {
		F(this.#p, e);
	}
	#m = /* @__PURE__ */ M(() => {
		let e = (e) => this.selection.pinned.filter(([t]) => t === e), [t, n] = [e("query"), e("key")];
		if (t.length !== 1 || n.length !== 1) return null;
		let r = [this.unitAt("query", t[0][1]), this.unitAt("key", n[0][1])];
		return r[0] >= 0 && r[1] >= 0 ? r : null;
	});
	get pair() {
		return W(this.#m);
	}
	set pair(e) {
		F(this.#m, e);
	}
	weight(e, t, [n, r], i = !1) {
		return this.hasRows(e, t) ? this.unitMap(e, t, i).between(n, r, this.attention.causal) : null;
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
		(r.queries !== this.attention.queries || r.keys !== this.attention.keys) && (this.selection.pinned = []), this.selection.attention = e, e.endsWith("rollout") && !n && (this.selection.layer = this.tellingRollout()), r.layers.some((e) => e.layer === this.selection.layer) || (this.selection.layer = r.layers[0].layer);
		let i = r.layers.find((e) => e.layer === this.selection.layer).heads;
		(!this.selection.heads.some((e) => i.includes(e)) || this.selection.heads.length === 1) && (this.selection.heads = [...i]);
	}
	tellingRollout() {
		let { layers: e } = this.attention;
		return (e.filter(({ layer: e, heads: t }) => this.headFirst(t[0], e) < kc).at(-1) ?? e.at(-1)).layer;
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
function Nc(e, t, n, { x: r, y: i, size: a }, o, s, c, l = () => !0, u = Array(t).keys()) {
	let d = Math.min(1, a / 64), f = (e, t) => i + 3 + (e + .5) * (a - 6) / t, p = [];
	for (let i of u) for (let u = e.rows[i]; u < e.rows[i + 1]; u++) {
		let m = e.weight[u];
		if (Math.abs(m) < o || !l(i, e.to[u])) continue;
		let h = qa(m, s);
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
function Pc(e, t, n, r, i, a, o = !1) {
	let [s, c] = [Math.min(r, n), Math.min(r, t)], l = new Uint8Array(s * c);
	o && l.fill(128);
	for (let r = 0; r < t; r++) {
		let u = Math.floor(r * c / t) * s;
		for (let t = e.rows[r]; t < e.rows[r + 1]; t++) {
			if (Math.abs(e.weight[t]) < i) continue;
			let r = u + Math.floor(e.to[t] * s / n), c = Os(e.weight[t], a, o);
			(o ? Math.abs(c - 128) > Math.abs(l[r] - 128) : c > l[r]) && (l[r] = c);
		}
	}
	return {
		bytes: l,
		width: s,
		height: c
	};
}
function Fc(e, t, n, r = !1) {
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
	return Pc(l, i, t, n, 0, Ha(l, !r), r);
}
function Ic(e, t, n) {
	return e ? (e) => e > 0 ? t.positive : t.negative : () => n;
}
//#endregion
//#region src/draw/thumbnails.ts
var Lc = 14e5, Rc = 16, zc = (e) => e.map((e) => Math.min(255, Math.round(e / Rc) * Rc)), Bc = (e) => Math.max(e.queries.length, e.keys.length) <= 96;
function Vc(e) {
	let t = Bc(e) ? .03 : Ac;
	return e.selection.threshold ?? (e.attention.shares ? t : t * e.commonCeiling());
}
var Hc = (e) => !e.attention.shares;
function Uc(e, t) {
	let { queries: n, keys: r, colours: i, dark: a } = e, { signed: o, shares: s } = e.attention, { threshold: c } = e.selection, l = Vc(e), u = Bc(e), d = /* @__PURE__ */ new Map(), f = ({ layer: e, head: t }) => `${e}.${t}`, p = o && e.panes.length > 1, m, h = ({ layer: t, head: n }) => p ? m ??= e.commonCeiling() : s ? 1 : e.headCeiling(n, t), g = (t) => ({
		links: e.links(t.head, t.layer),
		ceiling: h(t)
	}), _ = e.attention.layers.reduce((e, { heads: t }) => e + t.length, 0), v = Math.min(2 * t, Math.max(24, Math.floor(Math.sqrt(Lc / _))));
	function y(s, c, d = !1) {
		let f = ({ bytes: e, width: t, height: n }) => ls(d ? zc(e) : e, t, n, a, { signed: o }), { x: p, y: m, layer: h, head: _ } = s, v = e.tiles(_, h), y = {
			type: "raster",
			x: p,
			y: m,
			width: t,
			height: t
		};
		if (v) return [{
			...y,
			source: f(zs(v, c))
		}];
		let { links: b, ceiling: x } = g(s);
		return u ? Nc(b, n.length, r.length, {
			x: p,
			y: m,
			size: t
		}, l, x, Ic(o, i, e.colourOf(_, h))) : [{
			...y,
			source: f(Pc(b, n.length, r.length, c, l, x, o))
		}];
	}
	function b(a) {
		if (!e.hasRows(a.head, a.layer)) return [];
		let s = (t) => new Set(e.active.filter(([e]) => e === t).map(([, e]) => e)), [l, d] = [s("query"), s("key")], { links: f, ceiling: p } = g(a), m = Math.max(c ?? .005, .001), h = Wc(f, l, d, m), _ = (e, t) => (d.size === 0 || d.has(t)) && h(e, t), v = l.size > 0 ? [...l] : [...n.keys()];
		if (u) {
			let s = Ic(o, i, e.colourOf(a.head, a.layer));
			return Nc(f, n.length, r.length, {
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
			let o = qa(f.weight[t], p);
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
				n.scale(e / t, e / t), ua(n, y({
					...r,
					x: 0,
					y: 0
				}, e)), d.set(f(r), i);
			}
			let a = e.active.length > 0;
			n.globalAlpha = a ? .22 : 1, n.imageSmoothingEnabled = !0, n.drawImage(i, r.x, r.y, t, t), n.globalAlpha = 1, a && ua(n, b(r));
		},
		marks: (t) => e.active.length > 0 ? b(t) : y(t, v, !0)
	};
}
function Wc(e, t, n, r) {
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
var Gc = /* @__PURE__ */ K("<span><i class=\"svelte-1q3bs3j\"></i><em class=\"svelte-1q3bs3j\"> </em> <bdi> </bdi></span>"), Kc = /* @__PURE__ */ K("<p class=\"names svelte-1q3bs3j\"></p>"), qc = /* @__PURE__ */ K("<div class=\"svelte-1q3bs3j\"><dt class=\"svelte-1q3bs3j\"> </dt> <dd class=\"svelte-1q3bs3j\"> </dd></div>"), Jc = /* @__PURE__ */ K("<dl tabindex=\"0\" class=\"svelte-1q3bs3j\"></dl>"), Yc = /* @__PURE__ */ K("<section class=\"detail svelte-1q3bs3j\"><header class=\"svelte-1q3bs3j\"><h2 class=\"svelte-1q3bs3j\"> </h2> <button type=\"button\" class=\"plain\">Open in head view</button> <button type=\"button\" class=\"plain\" aria-label=\"Close the detail\">✕</button></header> <!> <!> <!> <!></section>");
function Xc(e, t) {
	j(t, !0);
	let n = Xe("store"), r = /* @__PURE__ */ P(void 0), i = /* @__PURE__ */ P(!1);
	function a() {
		let { width: e, height: t, marks: i } = W(r)?.picture() ?? {
			width: 240,
			height: 0,
			marks: []
		}, a = {
			type: "words",
			x: 12,
			y: 14,
			text: W(o),
			size: 15,
			colour: n.colours.ink,
			anchor: "start",
			bold: !0
		};
		return {
			width: e,
			height: t + 28,
			marks: [a, ...wa(i, 0, 28)]
		};
	}
	let o = /* @__PURE__ */ M(() => n.rollout ? `Rollout to layer ${t.layer}` : `Layer ${t.layer}, head ${t.head}`), s = /* @__PURE__ */ M(() => n.scene.statistics.flatMap(({ name: e, values: r }) => {
		let i = r.find(([e, r, i]) => e === n.attention.attention && r === t.layer && i === t.head);
		return i ? [{
			name: e,
			value: i[3]
		}] : [];
	})), c = /* @__PURE__ */ M(() => n.names.kinds.flatMap((e) => {
		let r = n.names.best(e, n.attention.attention, t.layer, t.head), i = n.names.secondBest(e, n.attention.attention, t.layer, t.head), a = ({ name: e, confidence: t }) => `${e.title} ${t.toFixed(2)}`;
		return r ? [{
			kind: e,
			colour: r.name[n.dark ? "dark" : "light"],
			text: a(r) + (i ? `, then ${a(i)}` : "")
		}] : [];
	}));
	var l = { picture: a }, u = Yc(), d = I(u), f = I(d), p = R(f, !0), m = z(f, 2), h = z(m, 2);
	A(d);
	var g = z(d, 2), _ = (e) => {
		var t = Kc();
		X(t, 21, () => W(c), ({ kind: e, colour: t, text: n }) => e, (e, t) => {
			let n = () => W(t).kind, r = () => W(t).colour, i = () => W(t).text;
			var a = Gc(), o = I(a);
			let s;
			var c = z(o), l = R(c, !0), u = R(z(c, 2), !0);
			A(a), V(() => {
				s = Z(o, "", s, { background: r() }), J(l, n()), J(u, i());
			}), q(e, a);
		}), A(t), q(e, t);
	};
	Y(g, (e) => {
		W(c).length > 0 && e(_);
	});
	var v = z(g, 2), y = (e) => {
		{
			let n = /* @__PURE__ */ M(() => [t.head]);
			ea(Ho(e, {
				get layer() {
					return t.layer;
				},
				get heads() {
					return W(n);
				},
				get laned() {
					return W(i);
				},
				set laned(e) {
					F(i, e, !0);
				}
			}), (e) => F(r, e, !0), () => W(r));
		}
	}, b = /* @__PURE__ */ M(() => n.hasRows(t.head, t.layer)), x = (e) => {
		{
			let n = /* @__PURE__ */ M(() => [t.head]);
			ts(e, {
				get layer() {
					return t.layer;
				},
				get heads() {
					return W(n);
				}
			});
		}
	};
	Y(v, (e) => {
		W(b) ? e(y) : e(x, -1);
	});
	var S = z(v, 2), C = (e) => {
		var t = Jc();
		X(t, 21, () => W(s), ({ name: e, value: t }) => e, (e, t, n, r) => {
			let i = () => W(t).name, a = () => W(t).value;
			var o = qc(), s = I(o), c = R(s, !0), l = R(z(s, 2), !0);
			A(o), V((e) => {
				J(c, i()), J(l, e);
			}, [() => a().toPrecision(2)]), q(e, o);
		}), A(t), q(e, t);
	};
	Y(S, (e) => {
		W(s).length > 0 && e(C);
	});
	var w = z(S, 2), ee = (e) => {
		{
			let n = /* @__PURE__ */ M(() => [t.head]);
			$o(e, {
				get layer() {
					return t.layer;
				},
				get heads() {
					return W(n);
				},
				get laned() {
					return W(i);
				}
			});
		}
	}, T = /* @__PURE__ */ M(() => n.hasRows(t.head, t.layer));
	return Y(w, (e) => {
		W(T) && e(ee);
	}), A(u), V(() => {
		Q(u, "aria-label", n.panes.length > 1 ? `${W(o)}, ${n.pane.name}` : W(o)), J(p, W(o));
	}), G("click", m, () => n.selection.kind = "head"), G("click", h, () => n.detail = !1), q(e, u), Qe(l);
}
Nr(["click"]);
//#endregion
//#region src/parts/NameLegend.svelte
var Zc = /* @__PURE__ */ K("<button type=\"button\" class=\"svelte-1usz3du\"><i class=\"svelte-1usz3du\"></i><bdi> </bdi> <span class=\"svelte-1usz3du\"> </span></button>"), Qc = /* @__PURE__ */ K("<p class=\"svelte-1usz3du\"> </p>"), $c = /* @__PURE__ */ K("<div class=\"names svelte-1usz3du\" role=\"group\"></div>");
function el(e, t) {
	j(t, !0);
	let n = Xe("store"), r = /* @__PURE__ */ M(() => n.names.counted(t.kind, n.attention.attention));
	var i = $c();
	X(i, 21, () => W(r), ({ name: e, count: t }) => e.name, (e, r) => {
		let i = () => W(r).name, a = () => W(r).count, o = /* @__PURE__ */ M(() => n.selection[t.kind] === i().name);
		var s = Zc(), c = I(s);
		let l;
		var u = z(c), d = R(u, !0), f = R(z(u, 2), !0);
		A(s), V(() => {
			Q(s, "aria-pressed", W(o)), Q(s, "title", W(o) ? "Show all heads again" : `Only heads whose ${t.kind} is ${i().title}`), l = Z(c, "", l, { background: n.dark ? i().dark : i().light }), J(d, i().title), J(f, a());
		}), G("click", s, () => n.selection[t.kind] = W(o) ? "" : i().name), q(e, s);
	}, (e) => {
		var n = Qc(), r = R(n);
		V(() => J(r, `No head of this attention has a ${t.kind ?? ""}.`)), q(e, n);
	}), A(i), V(() => Q(i, "aria-label", `Heads by ${t.kind ?? ""}`)), q(e, i), Qe();
}
Nr(["click"]);
//#endregion
//#region src/parts/Sentence.svelte
var tl = /* @__PURE__ */ K("<button type=\"button\"><bdi class=\"svelte-pm0r2l\"> </bdi></button>"), nl = /* @__PURE__ */ K("<span class=\"more svelte-pm0r2l\"> </span>"), rl = /* @__PURE__ */ K("<span class=\"more svelte-pm0r2l\">of all their attention; squares and tips are without the first token</span>"), il = /* @__PURE__ */ K("<span class=\"asked svelte-pm0r2l\" role=\"status\">Heads by what they put on <strong class=\"svelte-pm0r2l\"> </strong></span> <!> <button type=\"button\" class=\"plain svelte-pm0r2l\">Stop asking</button>", 1), al = /* @__PURE__ */ K("<div><label class=\"direction\"><span class=\"hidden\">Light the tokens that</span> <select><option>from</option><option>to</option></select></label> <div class=\"tokens svelte-pm0r2l\" role=\"group\"><!> <!></div> <!></div>");
function ol(e, t) {
	j(t, !0);
	let n = Xe("store"), r, i = /* @__PURE__ */ P(0), a = Po(n), o = /* @__PURE__ */ M(() => n.selection.direction === "from" ? "query" : "key"), s = /* @__PURE__ */ M(() => n.unitsAt(W(o)).slice(0, 400)), c = /* @__PURE__ */ M(() => n.selection.order === "asked" && n.asked && `${io(n.queries[n.asked[0]].text)} → ${io(n.keys[n.asked[1]].text)}`);
	async function l(e, t) {
		let n = {
			ArrowLeft: -1,
			ArrowRight: 1
		}[e.key];
		n !== void 0 && (e.preventDefault(), F(i, Math.max(0, Math.min(W(s).length - 1, t + n)), !0), await gr(), r.querySelector(`[data-index="${W(i)}"]`)?.focus());
	}
	B(() => {
		let e = n.found?.unit;
		e !== void 0 && r.querySelector(`[data-index="${e}"]`)?.scrollIntoView({ block: "nearest" });
	});
	var u = al();
	Ui(u, () => ({
		class: "sentence",
		...a.handlers
	}), void 0, void 0, void 0, "svelte-pm0r2l");
	var d = I(u), f = z(I(d), 2), p = I(f);
	p.value = p.__value = "from";
	var m = z(p);
	m.value = m.__value = "to", A(f), Ei(f), A(d);
	var h = z(d, 2), g = I(h);
	X(g, 19, () => W(s), (e) => e.start, (e, t, r) => {
		var s = tl();
		let c;
		var u = R(I(s), !0);
		A(s), V((e, t, n) => {
			Q(s, "data-end", W(o)), Q(s, "data-index", W(r)), Q(s, "aria-pressed", e), Q(s, "tabindex", W(i) === W(r) ? 0 : -1), c = bi(s, 1, "svelte-pm0r2l", null, c, {
				generated: t,
				target: a.over?.[1] === W(r)
			}), J(u, n);
		}, [
			() => n.isPinned(W(o), W(r)),
			() => n.isGenerated(W(o), W(r)),
			() => Ta(W(t).text, 24)
		]), G("click", s, () => a.isClick() && (F(i, W(r), !0), n.togglePin(W(o), W(r)))), Mr("pointerenter", s, (e) => e.pointerType === "mouse" && !a.line && (n.hover = [W(o), W(r)])), Mr("pointerleave", s, () => !a.line && n.leave()), Mr("focus", s, (e) => e.currentTarget.matches(":focus-visible") && (n.hover = [W(o), W(r)])), Mr("blur", s, () => n.hover = null), G("keydown", s, (e) => l(e, W(r))), q(e, s);
	});
	var _ = z(g, 2), v = (e) => {
		var t = nl(), r = R(t);
		V((e) => J(r, `and ${e ?? ""} more: find them, or use the text view`), [() => n.unitsAt(W(o)).length - 400]), q(e, t);
	}, y = /* @__PURE__ */ M(() => n.unitsAt(W(o)).length > 400);
	Y(_, (e) => {
		W(y) && e(v);
	}), A(h);
	var b = z(h, 2), x = (e) => {
		var t = il(), r = L(t), i = R(z(I(r)), !0);
		A(r);
		var a = z(r, 2), o = (e) => {
			q(e, rl());
		};
		Y(a, (e) => {
			n.withoutFirst && e(o);
		});
		var s = z(a, 2);
		V(() => J(i, W(c))), G("click", s, () => n.unask()), q(e, t);
	};
	Y(b, (e) => {
		W(c) && e(x);
	}), A(u), ea(u, (e) => r = e, () => r), V(() => Q(h, "aria-label", W(o) === "query" ? "Tokens that attend" : "Tokens attended to")), Di(f, () => n.selection.direction, (e) => n.selection.direction = e), q(e, u), Qe();
}
Nr(["click", "keydown"]);
//#endregion
//#region src/views/ModelView.svelte
var sl = /* @__PURE__ */ K("<p class=\"scale svelte-1xwjh1o\"> </p>"), cl = /* @__PURE__ */ K("<span class=\"layer svelte-1xwjh1o\" aria-hidden=\"true\"> </span>"), ll = /* @__PURE__ */ K("<span class=\"caption svelte-1xwjh1o\" aria-hidden=\"true\"> </span>"), ul = /* @__PURE__ */ K("<button type=\"button\"></button> <!>", 1), dl = /* @__PURE__ */ K("<p class=\"none svelte-1xwjh1o\"> </p>"), fl = /* @__PURE__ */ K("<div role=\"group\" aria-label=\"Heads\"><!> <!> <!></div>"), pl = /* @__PURE__ */ K("<!> <!> <!> <div class=\"model svelte-1xwjh1o\"><div class=\"grid svelte-1xwjh1o\"><!></div> <!></div>", 1);
function ml(e, t) {
	j(t, !0);
	let n = Xe("store"), r = /* @__PURE__ */ P(900), i, a = /* @__PURE__ */ P(void 0), o = /* @__PURE__ */ P(0), s = /* @__PURE__ */ P(void 0), c = /* @__PURE__ */ P(0), l = /* @__PURE__ */ M(() => n.selection.order === "asked" ? n.asked : null), u = /* @__PURE__ */ M(() => pc.some((e) => n.selection[e] !== "")), d = /* @__PURE__ */ M(() => n.rollout ? "head" : n.selection.colour), f = /* @__PURE__ */ M(() => n.selection.order === "layer" && !W(u)), p = /* @__PURE__ */ M(() => {
		let { order: e, reverse: t } = n.selection, r = W(l) ? (e, t) => n.weight(t, e, W(l)) : void 0, i = W(u) ? (e, t) => n.hasNames(e, t) : void 0;
		return uc(n.attention, n.scene.statistics, {
			by: e,
			reverse: t,
			kept: i,
			answer: r
		});
	}), m = /* @__PURE__ */ M(() => pc.flatMap((e) => n.selection[e] ? [`the ${e} ${n.selection[e]}`] : []).join(" and ")), h = /* @__PURE__ */ M(() => dc(W(p), W(f), W(r), n.selection.square)), g = /* @__PURE__ */ M(() => W(h).size), _ = /* @__PURE__ */ M(() => Uc(n, W(g))), v = /* @__PURE__ */ M(() => W(l) ? Math.max(.05, ...W(p).map(({ value: e }) => Math.abs(e ?? 0))) : 1);
	B(() => {
		let { order: e, reverse: t, asked: r, behaviour: i, pattern: s, shape: c } = n.selection;
		yr(() => W(a)?.toTop()), F(o, 0);
	});
	function y(e, t) {
		W(c);
		let n = performance.now(), r = !1;
		for (let i of W(h).cells) i.y + W(g) < t.y || i.y > t.y + t.height || (W(l) && S(e, i), !W(_).ready(i) && performance.now() - n > 12 ? r = !0 : (W(_).draw(e, i), ua(e, [...b(i), ...x(i)])));
		r && requestAnimationFrame(() => en(c));
	}
	function b(e) {
		if (W(d) === "head") return [];
		let t = n.colourOf(e.head, e.layer), r = W(g) + 4;
		return [
			[
				-2,
				-2,
				r,
				2
			],
			[
				-2,
				W(g),
				r,
				2
			],
			[
				-2,
				0,
				2,
				W(g)
			],
			[
				W(g),
				0,
				2,
				W(g)
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
		let t = W(g) * n.headFirst(e.head, e.layer);
		return [{
			type: "box",
			x: e.x - (W(g) < 40 ? 2 : 4),
			y: e.y + W(g) - t,
			width: W(g) < 40 ? 1.5 : 3,
			height: t,
			colour: n.colours.quiet,
			alpha: .9
		}];
	}
	function S(e, t) {
		let r = t.answer?.low ?? 0;
		e.globalAlpha = .45 * (Math.abs(r) / W(v)), e.fillStyle = r < 0 ? n.colours.negative : n.colours.accent, e.fillRect(t.x, t.y, W(g), W(g)), e.globalAlpha = 1;
	}
	function C() {
		let { colours: e } = n, t = W(h).cells.flatMap((t) => [
			...W(_).marks(t),
			...b(t),
			...x(t),
			{
				type: "words",
				x: t.x + W(g) / 2,
				y: t.y + W(g) + 7,
				text: w(t),
				size: 9,
				colour: e.quiet,
				anchor: "middle"
			}
		]), r = Math.max(...W(h).cells.map(({ x: e }) => e + W(g)), 0) + 8, i = W(d) === "head" ? {
			marks: [],
			height: 0
		} : jo(n, W(d), 8, W(h).height, r), a = W(h).height + i.height;
		t.push(...i.marks);
		let o = {
			type: "words",
			x: 8,
			y: a + 8,
			text: `Heads of ${Ta(n.scene.title, 60)}: ${W(_).note}${n.withoutFirst ? "; without the first token, bars: its share" : ""}`,
			size: 11,
			colour: e.quiet,
			anchor: "start"
		};
		if (!W(s) || !n.detail) return {
			width: r,
			height: a + 20,
			marks: [...t, o]
		};
		let c = W(s).picture();
		return {
			width: r + c.width,
			height: Math.max(a + 20, c.height),
			marks: [
				...t,
				o,
				...wa(c.marks, r, 0)
			]
		};
	}
	B(() => {
		n.picture = C;
	});
	function w(e) {
		let t = n.nameOf(e.head, e.layer);
		return e.value === null && n.withoutFirst ? `${t} · ${Math.round(100 * n.headFirst(e.head, e.layer))}%` : e.value === null ? t : `${t} · ${e.answer ? Do(e.answer) : e.value.toPrecision(2)}`;
	}
	function ee(e) {
		let t = W(l) && n.withoutFirst ? n.weight(e.head, e.layer, W(l), !0) : null;
		return t ? [`${Do(t)} without the first token`] : [];
	}
	let T = n.scene.names_from === "text";
	function te(e) {
		let t = n.names.kinds.flatMap((t) => {
			let r = n.names.best(t, n.attention.attention, e.layer, e.head);
			return !r || T && r.name.name === "none" ? [] : [`${t} ${r.name.title} ${T ? "on this text" : `(${r.confidence.toFixed(2)})`}`];
		}), r = n.withoutFirst ? [`${Math.round(100 * n.headFirst(e.head, e.layer))}% on the first token, left out`] : [];
		return [
			"",
			...ee(e),
			...r,
			...t
		].join(", ");
	}
	function ne(e) {
		return n.layer.layer === e.layer && n.heads[0] === e.head && (n.detail || n.heads.length === 1 && n.layer.heads.length > 1);
	}
	let re = (e) => n.detail && ne(e);
	function E(e, t) {
		F(o, t, !0), n.hover = null, n.detail = !re(e), n.selection.layer = e.layer, n.selection.heads = [e.head];
	}
	function ie(e, t) {
		let n = {
			ArrowLeft: -1,
			ArrowRight: 1,
			ArrowUp: -W(h).perRow,
			ArrowDown: W(h).perRow
		}[e.key];
		n !== void 0 && (e.preventDefault(), F(o, Math.max(0, Math.min(W(h).cells.length - 1, t + n)), !0), i.querySelectorAll("button.head")[W(o)]?.focus());
	}
	var ae = pl(), oe = L(ae);
	ol(oe, {});
	var se = z(oe, 2), ce = (e) => {
		var t = sl(), r = R(t);
		V((e) => J(r, `Small squares: a difference of ${e ?? ""} or more is drawn strongest.`), [() => $(n.commonCeiling())]), q(e, t);
	};
	Y(se, (e) => {
		n.attention.signed && n.panes.length > 1 && e(ce);
	});
	var le = z(se, 2), ue = (e) => {
		el(e, { get kind() {
			return W(d);
		} });
	};
	Y(le, (e) => {
		W(d) !== "head" && e(ue);
	});
	var de = z(le, 2), fe = I(de);
	ea(Io(I(fe), {
		get width() {
			return W(h).width;
		},
		get height() {
			return W(h).height;
		},
		draw: y,
		get room() {
			return W(r);
		},
		set room(e) {
			F(r, e, !0);
		},
		children: (e) => {
			var t = fl(), r = I(t), i = (e) => {
				var t = Hr();
				X(L(t), 19, () => n.attention.layers, (e) => e.layer, (e, t, r) => {
					let i = /* @__PURE__ */ M(() => n.selection.reverse ? n.attention.layers.length - 1 - W(r) : W(r));
					var a = cl();
					let o;
					var s = R(a, !0);
					V((e) => {
						o = Z(a, "", o, {
							top: e,
							height: `${W(g) ?? ""}px`
						}), J(s, W(t).layer);
					}, [() => `${W(h).rowTop(W(i)) ?? ""}px`]), q(e, a);
				}), q(e, t);
			};
			Y(r, (e) => {
				W(f) && e(i);
			});
			var a = z(r, 2);
			X(a, 19, () => W(h).cells, (e) => `${e.layer}.${e.head}`, (e, t, n) => {
				var r = ul(), i = L(r);
				let a, s;
				var c = z(i, 2), l = (e) => {
					var n = ll();
					let r;
					var i = R(n, !0);
					V((e) => {
						r = Z(n, "", r, {
							left: `${W(t).x ?? ""}px`,
							top: `${W(t).y + W(g)}px`,
							width: `${W(g) ?? ""}px`
						}), J(i, e);
					}, [() => Ta(w(W(t)), 14)]), q(e, n);
				}, u = /* @__PURE__ */ M(() => cc(W(g)));
				Y(c, (e) => {
					W(u) && e(l);
				}), V((e, r, c, l, u, f) => {
					a = bi(i, 1, "head svelte-1xwjh1o", null, a, {
						open: e,
						framed: W(d) !== "head"
					}), Q(i, "aria-pressed", r), Q(i, "aria-label", `Head ${c ?? ""}${l ?? ""}`), Q(i, "title", `Head ${u ?? ""}${f ?? ""}`), Q(i, "tabindex", W(o) === W(n) ? 0 : -1), s = Z(i, "", s, {
						left: `${W(t).x ?? ""}px`,
						top: `${W(t).y ?? ""}px`,
						width: `${W(g) ?? ""}px`,
						height: `${W(g) ?? ""}px`
					});
				}, [
					() => ne(W(t)),
					() => re(W(t)),
					() => w(W(t)),
					() => T ? ["", ...ee(W(t))].join(", ") : te(W(t)),
					() => w(W(t)),
					() => te(W(t))
				]), G("click", i, () => E(W(t), W(n))), G("keydown", i, (e) => ie(e, W(n))), q(e, r);
			});
			var s = z(a, 2), c = (e) => {
				var t = dl(), n = R(t);
				V(() => J(n, `No head has ${W(m) ?? ""}.`)), q(e, t);
			};
			Y(s, (e) => {
				W(h).cells.length === 0 && e(c);
			}), A(t), q(e, t);
		},
		$$slots: { default: !0 }
	}), (e) => F(a, e, !0), () => W(a)), A(fe), ea(fe, (e) => i = e, () => i);
	var pe = z(fe, 2), me = (e) => {
		ea(Xc(e, {
			get layer() {
				return n.layer.layer;
			},
			get head() {
				return n.heads[0];
			}
		}), (e) => F(s, e, !0), () => W(s));
	}, D = /* @__PURE__ */ M(() => n.detail && n.hasHead(n.layer.layer, n.heads[0]));
	Y(pe, (e) => {
		W(D) && e(me);
	}), A(de), q(e, ae), Qe();
}
Nr(["click", "keydown"]);
//#endregion
//#region src/core/vectors.ts
function hl(e, t) {
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
var gl = class {
	scaling;
	query;
	key;
	value;
	constructor(e, t, n) {
		if (!t.vectors) throw Error(`Layer ${t.layer} has no vectors.`);
		this.scaling = t.vectors.scaling, this.query = new _l(e, t.vectors.query, n), this.key = new _l(e, t.vectors.key, n), this.value = new _l(e, t.vectors.value, n);
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
}, _l = class {
	tokens;
	dim;
	typical;
	values;
	unit;
	origin;
	constructor(e, t, n) {
		let [, r, i] = t.values.shape;
		this.tokens = r, this.dim = i, this.values = Oa(e, t.values), this.unit = t.scale[n] / 32767, this.origin = n * r * i;
		let a = 0;
		for (let e = 0; e < r * i; e++) a += (this.values[this.origin + e] * this.unit) ** 2;
		this.typical = Math.sqrt(a / (r * i)) || 1;
	}
	at(e, t) {
		return this.values[this.origin + e * this.dim + t] * this.unit;
	}
}, vl = 64, yl = 62, bl = 92, xl = 14;
function Sl(e, t, n, r) {
	let i = 2 * t + yl + bl + 84 + 8, a = Math.max(1, Math.ceil(64 / n)), o = Math.max(a, Math.min(12, Math.floor((e - i) / (2 * n + r)))), s = n * o, c = 8 + t + xl, l = c + t + xl, u = l + s + xl, d = u + s + xl, f = d + yl + xl, p = f + bl + xl;
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
function Cl(e, t, n, r, i, a, o) {
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
function wl(e, t, n, r) {
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
function Tl(e, t, n, r) {
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
function El(e, t, n, r, i) {
	let a = (e, t, n, r, i, a = !1, o = 14) => ({
		type: "words",
		x: e,
		y: t,
		text: Ta(n, 16),
		size: o,
		colour: r,
		anchor: i,
		bold: a
	}), o = Dl(e).map(({ x: e, text: t }) => a(e, 12, t, i.quiet, "start", !1, 12));
	return o.push(a(e.key - 8, 40, "query", i.quiet, "end", !1, 12)), t.forEach((t, n) => o.push(a(e.from + e.names - 8, vl + (n + .5) * 24, t, i.ink, "end", n === r))), n.forEach((t, n) => {
		let r = vl + (n + .5) * 24;
		o.push(a(e.to + 8, r, t.text, t.masked ? i.quiet : i.ink, "start")), !t.masked && (o.push(a(e.dot + yl - 8, r, t.dot.toFixed(2), i.ink, "end", !1, 12)), o.push(a(e.softmax + bl, r, $(t.weight), i.ink, "end", !1, 12)));
	}), o;
}
function Dl(e) {
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
var Ol = /* @__PURE__ */ K("<button type=\"button\" role=\"radio\" class=\"name from svelte-72alqy\"><bdi> </bdi></button>"), kl = /* @__PURE__ */ K("<span role=\"cell\" class=\"number dot svelte-72alqy\"> </span> <span role=\"cell\" class=\"number softmax svelte-72alqy\"> </span>", 1), Al = /* @__PURE__ */ K("<div role=\"row\"><span role=\"rowheader\" class=\"name to svelte-72alqy\"><bdi> </bdi></span> <!></div>"), jl = /* @__PURE__ */ K("<span class=\"title svelte-72alqy\"> </span>"), Ml = /* @__PURE__ */ K("<div class=\"area svelte-72alqy\" role=\"presentation\"><div role=\"radiogroup\" aria-label=\"Token that attends\"></div> <div role=\"table\"></div> <div class=\"header svelte-72alqy\"><canvas aria-hidden=\"true\"></canvas> <!> <span class=\"side svelte-72alqy\">query of <bdi> </bdi></span> <span class=\"side svelte-72alqy\">output</span></div></div>"), Nl = /* @__PURE__ */ K(" <bdi> </bdi> → <bdi> </bdi> <!>", 1), Pl = /* @__PURE__ */ K("<span class=\"hint svelte-72alqy\"><i class=\"plus svelte-72alqy\"></i> above zero <i class=\"minus svelte-72alqy\"></i> </span>"), Fl = /* @__PURE__ */ K("<!> <div class=\"readout svelte-72alqy\" role=\"status\"><!></div>", 1), Il = /* @__PURE__ */ K("<p class=\"none svelte-72alqy\"> </p>"), Ll = /* @__PURE__ */ K("<!> <!>", 1);
function Rl(e, t) {
	j(t, !0);
	let n = Xe("store"), r = /* @__PURE__ */ P(900), i = /* @__PURE__ */ P(null), a = /* @__PURE__ */ P(null), o = /* @__PURE__ */ P(void 0), s = /* @__PURE__ */ P(void 0), c = /* @__PURE__ */ M(() => n.heads[0]), l = /* @__PURE__ */ M(() => n.layer.heads.indexOf(W(c))), u = /* @__PURE__ */ M(() => n.layer.vectors ? new gl(n.buffer, n.layer, W(l)) : null), f = /* @__PURE__ */ M(() => Cc(n.querySide, "pieces", "all")), p = /* @__PURE__ */ M(() => Cc(n.keySide, "pieces", "all")), m = /* @__PURE__ */ M(() => n.selection.pinned.find(([e]) => e === "query")?.[1] ?? hl(n.map(W(c)), n.attention.causal)), h = /* @__PURE__ */ M(() => W(a) ?? W(m)), g = /* @__PURE__ */ M(() => n.map(W(c)).row(W(h))), _ = /* @__PURE__ */ M(() => W(p).map(({ text: e }, t) => ({
		text: e,
		dot: W(u)?.dot(W(h), t) ?? 0,
		weight: W(g)[t],
		masked: n.attention.causal && t > W(h)
	}))), v = /* @__PURE__ */ M(() => Math.min(W(r) < 700 ? 84 : 150, Math.max(60, ...[...W(f), ...W(p)].slice(0, 400).map(({ text: e }) => uo(e.slice(0, 24)) + 18)))), y = /* @__PURE__ */ M(() => Sl(W(r), W(v), W(u)?.query.dim ?? 1, W(u)?.value.dim ?? 1)), b = /* @__PURE__ */ M(() => vl + Math.max(W(f).length, W(p).length) * 24 + 8), x = /* @__PURE__ */ M(() => W(u) ? W(u).query.typical * W(u).key.typical : 1);
	function S() {
		if (!W(u)) return [];
		let e = W(u).output(W(g));
		return [
			wl(W(y).key, 30, W(y).dim * W(y).cell, n.colours),
			...Cl(W(y).key, 30, W(y).cell, W(y).dim, W(u).query.typical, n.colours, (e) => W(u).query.at(W(h), e)),
			wl(W(y).value, 30, W(y).valueDim * W(y).cell, n.colours),
			...Cl(W(y).value, 30, W(y).cell, W(y).valueDim, W(u).value.typical, n.colours, (t) => e[t])
		];
	}
	function C(e, t) {
		if (!W(u)) return [];
		let r = [{
			type: "box",
			x: W(y).from,
			y: vl + W(h) * 24 + 1,
			width: W(y).names,
			height: 22,
			colour: n.colourOf(W(c)),
			alpha: .25
		}];
		for (let i = e; i < t; i++) {
			if (W(_)[i].masked) continue;
			let e = vl + i * 24, t = (e) => W(u).query.at(W(h), e) * W(u).key.at(i, e);
			r.push({
				type: "box",
				x: W(y).to,
				y: e + 1,
				width: W(y).names,
				height: 22,
				colour: n.colourOf(W(c)),
				alpha: W(_)[i].weight * .75
			}, wl(W(y).key, e, W(y).dim * W(y).cell, n.colours), ...Cl(W(y).key, e, W(y).cell, W(y).dim, W(u).key.typical, n.colours, (e) => W(u).key.at(i, e)), wl(W(y).product, e, W(y).dim * W(y).cell, n.colours), ...Cl(W(y).product, e, W(y).cell, W(y).dim, W(x), n.colours, t), Tl(W(y).softmax, e, W(_)[i].weight, n.colourOf(W(c))), wl(W(y).value, e, W(y).valueDim * W(y).cell, n.colours), ...Cl(W(y).value, e, W(y).cell, W(y).valueDim, W(u).value.typical, n.colours, (e) => W(u).value.at(i, e)));
		}
		return r;
	}
	function w(e) {
		return [Math.max(0, Math.floor((e.y - vl) / 24) - 2), Math.min(W(p).length, Math.ceil((e.y + e.height - vl) / 24) + 2)];
	}
	function ee(e, t) {
		if (ua(e, C(...w(t))), W(i) !== null) {
			e.strokeStyle = n.colours.ink, e.lineWidth = 1;
			for (let t of [
				W(y).key,
				W(y).product,
				...W(i) < W(y).valueDim ? [W(y).value] : []
			]) e.strokeRect(t + W(i) * W(y).cell - .5, vl, W(y).cell + 1, W(p).length * 24);
		}
	}
	function T(e) {
		B(() => {
			let t = Math.min(window.devicePixelRatio || 1, 3);
			e.width = Math.round(W(y).width * t), e.height = Math.round(vl * t);
			let n = e.getContext("2d");
			n.scale(t, t), ua(n, S());
		});
	}
	function te() {
		let e = Math.min(W(p).length, 400);
		return {
			width: W(y).width,
			height: vl + Math.max(Math.min(W(f).length, 400), e) * 24 + 8,
			marks: [
				...S(),
				...C(0, e),
				...El(W(y), W(f).slice(0, 400).map((e) => e.text), W(_).slice(0, e), W(h), n.colours)
			]
		};
	}
	B(() => {
		n.picture = te;
	}), B(() => {
		W(o)?.ensure(vl + W(m) * 24 - vl, vl + 24);
	});
	let ne = /* @__PURE__ */ P(null);
	function re(e, t) {
		let n = e.currentTarget.getBoundingClientRect(), [r, a] = [e.clientX - n.left, e.clientY - n.top], o = [
			W(y).value,
			W(y).product,
			W(y).key
		].find((e, t) => r >= e && r < e + (t === 0 ? W(y).valueDim : W(y).dim) * W(y).cell);
		F(i, o === void 0 ? null : Math.floor((r - o) / W(y).cell), !0);
		let s = Math.floor((a - vl) / 24);
		F(ne, a - t.y > vl && s >= 0 && s < W(p).length && !W(_)[s].masked ? s : null, !0);
	}
	function E(e) {
		n.selection.pinned = [["query", e]];
	}
	function ie(e, t) {
		let n = {
			ArrowUp: -1,
			ArrowDown: 1
		}[e.key];
		if (n === void 0) return;
		e.preventDefault();
		let r = Math.max(0, Math.min(W(f).length - 1, t + n));
		E(r), W(s)?.querySelector(`[data-index="${r}"]`)?.focus();
	}
	let ae = (e, t = 3) => e.toFixed(t).replace(/^-(0\.?0*)$/, "$1").replace("-", "−");
	var oe = Ll(), se = L(oe);
	Jo(se, { single: !0 });
	var ce = z(se, 2), le = (e) => {
		var t = Fl(), l = L(t);
		{
			let e = (e, t = d) => {
				var o = Ml(), l = I(o);
				X(l, 21, () => W(f), $r, (e, n, r) => {
					var i = Hr(), o = L(i), s = (e) => {
						var t = Ol();
						Q(t, "data-index", r);
						let i;
						var o = R(I(t), !0);
						A(t), V(() => {
							Q(t, "aria-checked", W(m) === r), Q(t, "tabindex", W(m) === r ? 0 : -1), i = Z(t, "", i, {
								left: `${W(y).from ?? ""}px`,
								top: `${vl + r * 24}px`,
								width: `${W(y).names ?? ""}px`
							}), J(o, W(n).text);
						}), G("click", t, () => E(r)), Mr("pointerenter", t, (e) => e.pointerType === "mouse" && F(a, r, !0)), Mr("pointerleave", t, () => F(a, null)), G("keydown", t, (e) => ie(e, r)), q(e, t);
					};
					Y(o, (e) => {
						(r + 3) * 24 > t().y - vl && r * 24 < t().y + t().height && e(s);
					}), q(e, i);
				}), A(l), ea(l, (e) => F(s, e), () => W(s));
				var u = z(l, 2);
				X(u, 21, () => W(_), $r, (e, n, r) => {
					var i = Hr(), a = L(i), o = (e) => {
						var t = Al();
						Q(t, "data-key", r);
						let i;
						var a = I(t);
						let o;
						var s = R(I(a), !0);
						A(a);
						var c = z(a, 2), l = (e) => {
							var t = kl(), i = L(t);
							let a;
							var o = R(i, !0), s = z(i, 2);
							let c;
							var l = R(s, !0);
							V((e, t) => {
								a = Z(i, "", a, {
									left: `${W(y).dot ?? ""}px`,
									top: `${vl + r * 24}px`
								}), J(o, e), c = Z(s, "", c, {
									left: `${W(y).softmax ?? ""}px`,
									top: `${vl + r * 24}px`
								}), J(l, t);
							}, [() => ae(W(n).dot, 2), () => $(W(n).weight)]), q(e, t);
						};
						Y(c, (e) => {
							W(n).masked || e(l);
						}), A(t), V(() => {
							i = bi(t, 1, "svelte-72alqy", null, i, { masked: W(n).masked }), o = Z(a, "", o, {
								left: `${W(y).to ?? ""}px`,
								top: `${vl + r * 24}px`,
								width: `${W(y).names ?? ""}px`
							}), J(s, W(n).text);
						}), q(e, t);
					};
					Y(a, (e) => {
						(r + 3) * 24 > t().y - vl && r * 24 < t().y + t().height && e(o);
					}), q(e, i);
				}), A(u);
				var p = z(u, 2);
				let g;
				var v = I(p);
				let b;
				di(v, () => T);
				var x = z(v, 2);
				X(x, 17, () => Dl(W(y)), ({ x: e, text: t }) => t, (e, t) => {
					let n = () => W(t).x, r = () => W(t).text;
					var i = jl();
					let a;
					var o = R(i, !0);
					V(() => {
						a = Z(i, "", a, { left: `${n() ?? ""}px` }), J(o, r());
					}), q(e, i);
				});
				var S = z(x, 2);
				let C;
				var w = R(z(I(S)), !0);
				A(S);
				var ee = z(S, 2);
				let te;
				A(p), A(o), V((e, n, r, i, a) => {
					Q(u, "aria-label", `Query against keys, head ${e ?? ""}`), g = Z(p, "", g, {
						top: `${t().y ?? ""}px`,
						width: n,
						height: `${vl ?? ""}px`
					}), b = Z(v, "", b, {
						width: `${W(y).width ?? ""}px`,
						height: `${vl ?? ""}px`
					}), C = Z(S, "", C, { right: r }), J(w, i), te = Z(ee, "", te, { right: a });
				}, [
					() => n.nameOf(W(c)),
					() => `${Math.max(W(r), W(y).width)}px`,
					() => `${Math.max(W(r), W(y).width) - W(y).key + 8}px`,
					() => W(f)[W(h)].text.slice(0, 12),
					() => `${Math.max(W(r), W(y).width) - W(y).value + 8}px`
				]), G("pointermove", o, (e) => re(e, t())), Mr("pointerleave", o, () => (F(i, null), F(ne, null))), q(e, o);
			}, t = /* @__PURE__ */ M(() => Math.max(W(r), W(y).width));
			ea(Io(l, {
				get width() {
					return W(t);
				},
				get height() {
					return W(b);
				},
				draw: ee,
				get room() {
					return W(r);
				},
				set room(e) {
					F(r, e, !0);
				},
				children: e,
				$$slots: { default: !0 }
			}), (e) => F(o, e, !0), () => W(o));
		}
		var g = z(l, 2), v = I(g), x = (e) => {
			var t = Nl(), n = L(t), r = z(n), a = R(r, !0), o = z(r, 2), s = R(o, !0), c = z(o), l = z(c), d = (e) => {
				var t = Vr();
				V((e) => J(t, `; value ${e ?? ""}`), [() => ae(W(u).value.at(W(ne), W(i)))]), q(e, t);
			};
			Y(l, (e) => {
				W(i) < W(y).valueDim && e(d);
			}), V((e, t, r, o, l) => {
				J(n, `Dimension ${W(i) ?? ""}, `), J(a, e), J(s, t), J(c, `: query ${r ?? ""}
      × key ${o ?? ""} = ${l ?? ""}`);
			}, [
				() => W(f)[W(h)].text.slice(0, 24),
				() => W(p)[W(ne)].text.slice(0, 24),
				() => ae(W(u).query.at(W(h), W(i))),
				() => ae(W(u).key.at(W(ne), W(i))),
				() => ae(W(u).query.at(W(h), W(i)) * W(u).key.at(W(ne), W(i)))
			]), q(e, t);
		}, S = (e) => {
			var t = Pl(), n = z(I(t), 3);
			A(t), V((e) => J(n, ` below zero. q·k is scaled by ${e ?? ""}; the output is the sum of the values, each times its softmax. Point at a
        cell for its numbers.`), [() => W(u).scaling.toPrecision(3)]), q(e, t);
		};
		Y(v, (e) => {
			W(i) !== null && W(ne) !== null && W(i) < W(y).dim ? e(x) : e(S, -1);
		}), A(g), q(e, t);
	}, ue = (e) => {
		var t = Il(), r = R(t);
		V((e) => J(r, `There are no query, key and value vectors of layer ${n.layer.layer ?? ""} in this view. Layers that have them:
    ${e ?? ""}.`), [() => n.attention.layers.filter((e) => e.vectors).map((e) => e.layer).join(", ") || "none; open the view from a model and a text"]), q(e, t);
	};
	Y(ce, (e) => {
		W(u) ? e(le) : e(ue, -1);
	}), q(e, oe), Qe();
}
Nr([
	"pointermove",
	"click",
	"keydown"
]);
//#endregion
//#region src/core/glow.ts
function zl(e, t, n, r) {
	let i = (r === "from" ? e.keys : e.queries).length, a = new Float32Array(i), o = 0, s = 1 / Math.max(1, t.length * n.length);
	for (let i of t) if (!e.hasRows(i)) Bl(e, i, n, r, s, a);
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
function Bl(e, t, n, r, i, a) {
	let o = e.tiles(t);
	if (o) for (let e of n) {
		let t = Math.floor(e / o.size);
		for (let e = 0; e < a.length; e++) {
			let n = Math.floor(e / o.size);
			a[e] += (r === "from" ? o.share(t, n) : o.share(n, t)) / o.size * i;
		}
	}
}
var Vl = (e, t) => e.gaps[t.start] ?? "s", Hl = 6, Ul = (e, t) => {
	let n = e?.text.endsWith("…") ? [...e.text].at(-2) : void 0;
	return n && t.text.startsWith(`…${n}`) ? n : null;
};
function Wl(e, t) {
	let n = e[t].text, r = Ul(e[t - 1], e[t]), i = e[t + 1];
	return i && Ul(e[t], i) && (n = n.slice(0, -1)), r ? n.slice(1 + r.length) : /^[␣ ]+$/.test(n) ? n.replaceAll(" ", "").replaceAll("␣", " ") : n.replace(/^##(?=[\p{L}\p{N}\p{M}])/u, "");
}
function Gl(e, t, n) {
	let r = e.map((r, i) => n(ql(e, t, i))), i = (t) => t + 1 < e.length && Ul(e[t], e[t + 1]) !== null, a = (t) => [...e[t].text].length === 3 && i(t) && t > 0 && i(t - 1);
	return e.forEach((o, s) => {
		if (!i(s) || a(s)) return;
		let c = s + 1;
		for (; a(c);) c++;
		let l = [...Wl(e, s)], [u, d] = [l.slice(0, -1).join(""), l.at(-1) ?? ""], f = r[s] - (u ? n(ao(u, Kl(e, t, s, -1), d)) : 0), p = f / (c - s + 1);
		r[s] -= f;
		for (let e = s; e <= c; e++) r[e] += p;
	}), r.map((e) => e > 0 ? e : Hl);
}
function Kl(e, t, n, r) {
	let i = (n) => n > 0 && n < e.length && Vl(t, e[n]) === "-", a = "";
	for (let t = n; a === "" && i(r > 0 ? t + 1 : t);) a = Wl(e, t += r);
	return a;
}
function ql(e, t, n) {
	return ao(Wl(e, n), Kl(e, t, n, -1), Kl(e, t, n, 1));
}
function Jl(e, t, n, r) {
	let i = r(" "), a = [0], o = 14, s = Gl(e, t, r), c = e.map((e) => Vl(t, e)), l = (e) => c[e] === "-";
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
	let d = Yl(e), f = s.map((e) => ({
		x: 0,
		width: e,
		way: "left"
	}));
	for (let t = 0; t < u; t++) Xl(e.slice(a[t], a[t + 1]), f.slice(a[t], a[t + 1]), c.slice(a[t], a[t + 1]), d, n, i);
	return {
		words: f,
		lines: a,
		height: u * 30 + 28,
		way: d
	};
}
function Yl(e) {
	let [t, n] = [0, 0];
	for (let { text: r } of e) {
		let e = no(r);
		e === "right" ? n += r.length : e === "left" && (t += r.length);
	}
	return n > t ? "right" : "left";
}
function Xl(e, t, n, r, i, a) {
	let o = oo(e.map(({ text: e }) => no(e)), r);
	t.forEach((e, t) => e.way = o[t]);
	let s = so(o, r), c = (e) => e > 0 && n[e] === "s", l = t.reduce((e, t, n) => e + t.width + (c(n) ? a : 0), 0), u = r === "left" ? 14 : Math.max(14, i - 14 - l);
	s.forEach((e, n) => {
		n > 0 && c(Math.max(Math.min(...s[n - 1]), Math.min(...e))) && (u += a), e.forEach((n, r) => {
			r > 0 && c(Math.max(e[r - 1], n)) && (u += a), t[n].x = u, u += t[n].width;
		});
	});
}
function Zl({ lines: e }, t) {
	let [n, r] = [0, e.length - 2];
	for (; n < r;) {
		let i = n + r + 1 >> 1;
		e[i] <= t ? n = i : r = i - 1;
	}
	return n;
}
function Ql(e, t) {
	let n = new Float32Array(t);
	e.forEach((r, i) => n[Math.min(t - 1, Math.floor(i * t / e.length))] += Math.abs(r));
	let r = n.reduce((e, t) => Math.max(e, t), 0) || 1;
	return n.map((e) => e / r);
}
function $l(e, t) {
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
var eu = /* @__PURE__ */ K("<button type=\"button\" class=\"strip svelte-q2jcn5\" aria-label=\"Strip of the text: go to a place\"><canvas aria-hidden=\"true\" class=\"svelte-q2jcn5\"></canvas></button>"), tu = /* @__PURE__ */ K("<aside class=\"svelte-q2jcn5\"><button type=\"button\" class=\"map svelte-q2jcn5\"><canvas aria-hidden=\"true\" class=\"svelte-q2jcn5\"></canvas></button> <span class=\"name svelte-q2jcn5\"> </span> <!></aside>");
function nu(e, t) {
	j(t, !0);
	let n = Xe("store"), r = /* @__PURE__ */ M(() => n.heads.length === 1 ? n.nameOf(n.heads[0]) : `mean of ${n.heads.length} heads`), i = /* @__PURE__ */ M(() => {
		let { signed: e } = n.attention, t = n.heads.flatMap((e) => n.tiles(e) ?? []), { bytes: r, width: i, height: a } = t.length > 0 ? zs(Ms(t), 128) : Fc(n.heads.map((e) => n.links(e)), n.keys.length, 128, e);
		return ls(r, i, a, n.dark, { signed: e });
	});
	function a(e) {
		B(() => {
			e.width = e.height = 128;
			let r = e.getContext("2d");
			r.imageSmoothingEnabled = !1, r.drawImage(W(i), 0, 0, 128, 128), r.fillStyle = n.colours.negative;
			for (let e of t.active) {
				let i = (e + .5) / t.count * 128;
				n.selection.direction === "from" ? r.fillRect(0, i - .75, 128, 1.5) : r.fillRect(i - .75, 0, 1.5, 128);
			}
		});
	}
	function o(e) {
		B(() => {
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
	var c = tu(), l = I(c);
	di(I(l), () => a), A(l);
	var u = z(l, 2), d = R(u, !0), f = z(u, 2), p = (e) => {
		var t = eu();
		di(I(t), () => o), A(t), G("click", t, s), q(e, t);
	};
	Y(f, (e) => {
		t.scrolls && e(p);
	}), A(c), V(() => {
		Q(c, "aria-label", n.panes.length > 1 ? `Where in the text, ${n.pane.name}` : "Where in the text"), Q(l, "aria-label", `Map of ${W(r) ?? ""}: go to a place`), J(d, W(r));
	}), G("click", l, s), q(e, c), Qe();
}
Nr(["click"]);
//#endregion
//#region src/views/TextView.svelte
var ru = /* @__PURE__ */ K("<button type=\"button\"><bdi class=\"svelte-hthq4q\"> </bdi></button>"), iu = /* @__PURE__ */ K("<div class=\"lines svelte-hthq4q\" role=\"group\" aria-label=\"The text\"></div>"), au = /* @__PURE__ */ K("<strong> </strong> ", 1), ou = /* @__PURE__ */ K("Click to keep it.<span class=\"wide svelte-hthq4q\"> </span>", 1), su = /* @__PURE__ */ K("<span class=\"hint svelte-hthq4q\"> <span class=\"wide svelte-hthq4q\"> </span>. <!> </span>"), cu = /* @__PURE__ */ K("<!> <!> <div class=\"text svelte-hthq4q\"><div><!></div> <!></div> <div class=\"readout svelte-hthq4q\" role=\"status\"><!></div>", 1);
function lu(e, t) {
	j(t, !0);
	let n = Xe("store"), r = /* @__PURE__ */ P(700), i = /* @__PURE__ */ P(void 0), a, o = /* @__PURE__ */ P(0), s = /* @__PURE__ */ P(0), c = /* @__PURE__ */ P(0), l = /* @__PURE__ */ new Map();
	function u(e) {
		let t = l.get(e);
		return t === void 0 && l.set(e, t = uo(e) * (16 / 14)), t;
	}
	let f = /* @__PURE__ */ M(() => n.selection.direction), p = /* @__PURE__ */ M(() => W(f) === "from" ? "query" : "key"), h = /* @__PURE__ */ M(() => W(f) === "from" ? n.keySide : n.querySide), g = /* @__PURE__ */ M(() => W(f) === "from" ? n.keys : n.queries), _ = /* @__PURE__ */ M(() => n.attention.queries === n.attention.keys && n.queries.length === n.keys.length), v = /* @__PURE__ */ M(() => Jl(W(g), W(h), Math.max(240, Math.min(W(r), 860)), u)), y = /* @__PURE__ */ M(() => n.active.filter(([e]) => e === W(p)).map(([, e]) => e)), b = /* @__PURE__ */ M(() => W(y).length > 0 ? zl(n, n.heads, W(y), W(f)) : null), x = /* @__PURE__ */ M(() => W(b) && W(b).weights.reduce((e, t) => Math.max(e, Math.abs(t)), 0) || 1), S = /* @__PURE__ */ M(() => W(b) ? Ql(W(b).weights, 240) : null), C = (e, t) => ({
		x: W(v).words[e].x - 1,
		y: 14 + t * 30 + 3,
		width: W(v).words[e].width + 2,
		height: 24
	});
	function w(e, t) {
		let r = [];
		for (let i = e; i < t; i++) for (let e = W(v).lines[i]; e < W(v).lines[i + 1]; e++) {
			if (W(b)) {
				let t = W(b).weights[e], a = qa(t, W(x));
				a > .01 && r.push({
					type: "box",
					...C(e, i),
					colour: t < 0 ? n.colours.negative : n.colours.glow,
					alpha: .06 + .84 * a ** .7
				});
			}
			let t = W(_) && !W(b) ? n.probability(e) : null;
			if (t !== null && r.push({
				type: "box",
				x: W(v).words[e].x,
				y: C(e, i).y + 30 - 7,
				width: W(v).words[e].width,
				height: 2.5,
				colour: n.colours.negative,
				alpha: Math.min(1, -Math.log2(Math.max(t, 1e-6)) / 12)
			}), W(_) && W(y).includes(e)) {
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
	let ee = ({ y: e, height: t }, n) => [Math.max(0, Math.floor((e - 14 - n) / 30)), Math.min(W(v).lines.length - 1, Math.ceil((e + t - 14 + n) / 30))], T = Po(n), te = () => matchMedia("(hover: hover)").matches;
	function ne(e, t) {
		((e) => {
			var t = m(e, 2);
			F(s, t[0], !0), F(c, t[1], !0);
		})([t.y, t.height]), ua(e, w(...ee(t, 0))), T.line && No(e, T.line, a.getBoundingClientRect(), t, n.colours.accent);
	}
	function re(e) {
		let [t, n] = ee(e, 120);
		return Array.from({ length: Math.max(0, n - t) }, (e, n) => t + n);
	}
	let E = (e) => {
		if (!W(_)) return null;
		let t = e?.closest("[data-word]");
		return t ? Number(t.dataset.word) : null;
	};
	function ie(e) {
		if (e.pointerType !== "mouse" || T.line) return;
		let t = E(e.target);
		n.hover = t === null ? null : [W(p), t];
	}
	function ae(e) {
		let t = E(e.target);
		t !== null && T.isClick() && (F(o, t, !0), n.togglePin(W(p), t));
	}
	async function oe(e) {
		let t = {
			ArrowLeft: -1,
			ArrowRight: 1,
			ArrowUp: -1,
			ArrowDown: 1
		}[e.key];
		if (t === void 0 || E(e.target) === null) return;
		e.preventDefault();
		let n = Zl(W(v), W(o)), r = e.key === "ArrowUp" || e.key === "ArrowDown";
		F(o, r ? se(n + t, W(v).words[W(o)].x) : Math.max(0, Math.min(W(g).length - 1, W(o) + t)), !0), W(i)?.ensure(14 + Zl(W(v), W(o)) * 30, 30), await gr(), a.querySelector(`[data-word="${W(o)}"]`)?.focus();
	}
	function se(e, t) {
		let n = Math.max(0, Math.min(W(v).lines.length - 2, e)), r = W(v).lines[n];
		for (let e = r; e < W(v).lines[n + 1]; e++) Math.abs(W(v).words[e].x - t) < Math.abs(W(v).words[r].x - t) && (r = e);
		return r;
	}
	function ce(e) {
		let t = E(e.target);
		t !== null && e.target.matches(":focus-visible") && (n.hover = [W(p), t]);
	}
	function le(e) {
		W(i)?.reveal(0, 14 + Zl(W(v), Math.max(0, Math.min(W(g).length - 1, e))) * 30);
	}
	B(() => {
		let e = n.found?.unit;
		e !== void 0 && e < W(g).length && le(e);
	});
	function ue(e) {
		let { x: t, width: n, way: r } = W(v).words[e];
		return r === "right" ? {
			x: t + n,
			anchor: "end",
			direction: "rtl"
		} : {
			x: t,
			anchor: "start"
		};
	}
	function de() {
		if (W(g).length > 3e3) return null;
		let e = W(v).lines.length - 1, t = [];
		for (let r = 0; r < e; r++) for (let e = W(v).lines[r]; e < W(v).lines[r + 1]; e++) t.push({
			type: "words",
			...ue(e),
			y: 14 + (r + .5) * 30,
			text: ql(W(g), W(h), e),
			size: 16,
			colour: n.colours.ink
		});
		let i = {
			type: "words",
			x: 14,
			y: W(v).height + 4,
			text: W(b) ? `${W(me)} full colour ${$(W(x))}${W(he) ? `; ${W(he)}` : ""}.` : n.scene.title,
			size: 12,
			colour: n.colours.quiet,
			anchor: "start"
		};
		return {
			width: Math.min(W(r), 860),
			height: W(v).height + 20,
			marks: [
				...w(0, e),
				...t,
				i
			]
		};
	}
	B(() => {
		n.picture = de;
	});
	function fe(e) {
		let t = W(_) ? n.probability(e) : null;
		return t === null ? void 0 : `probability ${$(t)}`;
	}
	let pe = /* @__PURE__ */ M(() => n.heads.length === 1 ? `head ${n.nameOf(n.heads[0])}` : n.heads.length === n.layer.heads.length ? `the mean of layer ${n.layer.layer}` : `the mean of heads ${n.heads.join(", ")} of layer ${n.layer.layer}`), me = /* @__PURE__ */ M(() => {
		if (!W(b)) return "";
		let e = n.unitsAt(W(p));
		return `${W(y).slice(-3).map((t) => io(e[t].text)).join(", ")} ${W(f) === "from" ? W(y).length > 1 ? "attend to" : "attends to" : "is attended to by"}, in ${W(pe)}:`;
	}), D = /* @__PURE__ */ M(() => W(y).flatMap((e) => n.heads.map((t) => n.firstShare(e, [t])))), he = /* @__PURE__ */ M(() => n.withoutFirst && W(f) === "from" && W(b) ? `left out: ${$(W(D).reduce((e, t) => e + t / W(D).length, 0))} on the first token${Eo(W(D))}` : ""), ge = /* @__PURE__ */ M(() => {
		if (!W(b)) return "";
		let e = $l(W(b).weights, 5).filter((e) => Math.abs(W(b).weights[e]) >= 5e-4).map((e) => `${io(W(g)[e].text, 16)} (${W(g)[e].start}) ${$(W(b).weights[e])}`);
		return W(b).rest >= .005 && e.push(`rest ${$(W(b).rest)}`), W(he) && e.push(W(he)), e.join(" · ");
	});
	var _e = cu(), ve = L(_e);
	Jo(ve, {});
	var ye = z(ve, 2), be = (e) => {
		ol(e, {});
	};
	Y(ye, (e) => {
		W(_) || e(be);
	});
	var xe = z(ye, 2), O = I(xe), Se = () => n.hover = null, k = () => n.hover = null;
	Ui(O, () => ({
		class: "page",
		...T.handlers,
		onpointerover: ie,
		onclick: ae,
		onkeydown: oe,
		onfocusin: ce,
		onpointerleave: Se,
		onfocusout: k
	}), void 0, void 0, void 0, "svelte-hthq4q");
	var Ce = I(O);
	{
		let e = (e, t = d) => {
			var r = iu();
			X(r, 20, () => re(t()), (e) => e, (e, t) => {
				var r = Hr();
				X(L(r), 19, () => ({ length: W(v).lines[t + 1] - W(v).lines[t] }), (e, n) => W(v).lines[t] + n, (e, r, i) => {
					let a = /* @__PURE__ */ M(() => W(v).lines[t] + W(i)), s = /* @__PURE__ */ M(() => W(v).words[W(a)].way === "right" ? "rtl" : "ltr");
					var c = ru();
					let l, u;
					var d = I(c), m = R(d, !0);
					A(c), V((e, n, r, i, f) => {
						Q(c, "data-word", W(a)), Q(c, "dir", W(s)), Q(c, "data-end", W(p)), Q(c, "data-index", W(a)), Q(c, "title", e), Q(c, "aria-label", n), Q(c, "aria-pressed", r), c.disabled = !W(_), Q(c, "tabindex", W(o) === W(a) ? 0 : -1), l = bi(c, 1, "svelte-hthq4q", null, l, {
							target: T.over?.[1] === W(a),
							generated: i
						}), u = Z(c, "", u, {
							left: `${W(v).words[W(a)].x ?? ""}px`,
							top: `${14 + t * 30}px`,
							width: `${W(v).words[W(a)].width ?? ""}px`
						}), Q(d, "dir", W(s)), J(m, f), d.dir = d.dir, c.dir = c.dir;
					}, [
						() => fe(W(a)),
						() => Wl(W(g), W(a)).trim() ? void 0 : W(g)[W(a)].text,
						() => W(_) && n.isPinned(W(p), W(a)),
						() => n.isGenerated(W(f) === "from" ? "key" : "query", W(a)),
						() => ql(W(g), W(h), W(a))
					]), q(e, c);
				}), q(e, r);
			}), A(r), q(e, r);
		}, t = /* @__PURE__ */ M(() => Math.min(W(r), 860));
		ea(Io(Ce, {
			get width() {
				return W(t);
			},
			get height() {
				return W(v).height;
			},
			draw: ne,
			get room() {
				return W(r);
			},
			set room(e) {
				F(r, e, !0);
			},
			children: e,
			$$slots: { default: !0 }
		}), (e) => F(i, e, !0), () => W(i));
	}
	A(O), ea(O, (e) => a = e, () => a);
	var we = z(O, 2);
	{
		let e = /* @__PURE__ */ M(() => W(v).height > W(c)), t = /* @__PURE__ */ M(() => W(s) / Math.max(1, W(v).height));
		nu(we, {
			get density() {
				return W(S);
			},
			get active() {
				return W(y);
			},
			get scrolls() {
				return W(e);
			},
			get position() {
				return W(t);
			},
			goTo: le,
			get count() {
				return W(g).length;
			}
		});
	}
	A(xe);
	var Te = z(xe, 2), Ee = I(Te), De = (e) => {
		var t = au(), n = L(t), r = R(n, !0), i = z(n);
		V(() => {
			J(r, W(me)), J(i, ` ${W(ge) ?? ""}`);
		}), q(e, t);
	}, Oe = (e) => {
		var t = su(), r = I(t), i = z(r), a = R(i), o = z(i, 2), s = (e) => {
			var t = ou(), n = R(z(L(t)), !0);
			V(() => J(n, W(_) ? " Drag from one word to another to ask which heads link them." : "")), q(e, t);
		}, c = /* @__PURE__ */ M(() => te());
		Y(o, (e) => {
			W(c) && e(s);
		});
		var l = z(o, 1, !0);
		A(t), V((e) => {
			J(r, `${e ?? ""} a word${W(_) ? "" : " of the line above"}: the text glows with what it ${W(f) === "from" ? "attends to" : "is attended to by"}`), J(a, `, in ${W(pe) ?? ""}`), J(l, W(_) && n.hasProbabilities ? " Red lines: the stronger, the less likely the model found the word." : "");
		}, [() => te() ? "Point at" : "Tap"]), q(e, t);
	};
	Y(Ee, (e) => {
		W(b) ? e(De) : e(Oe, -1);
	}), A(Te), q(e, _e), Qe();
}
//#endregion
//#region src/parts/Pane.svelte
var uu = /* @__PURE__ */ K("<section class=\"pane svelte-1k4fohy\"><h2 class=\"svelte-1k4fohy\"><bdi> </bdi></h2> <!></section>");
function du(e, t) {
	j(t, !0);
	let n = ra(t, "name", 3, "");
	Ze("store", t.store);
	let r = {
		head: rs,
		model: ml,
		text: lu,
		neuron: Rl,
		matrix: rc,
		image: vs
	}, i = /* @__PURE__ */ M(() => r[t.store.selection.kind]);
	var a = Hr(), o = L(a), s = (e) => {
		var t = uu(), r = I(t), a = R(I(r), !0);
		A(r), ui(z(r, 2), () => W(i), (e, t) => {
			t(e, {});
		}), A(t), V(() => {
			Q(t, "aria-label", n()), J(a, n());
		}), q(e, t);
	}, c = (e) => {
		var t = Hr();
		ui(L(t), () => W(i), (e, t) => {
			t(e, {});
		}), q(e, t);
	};
	Y(o, (e) => {
		n() ? e(s) : e(c, -1);
	}), q(e, a), Qe();
}
//#endregion
//#region src/core/download.ts
function fu(e, t) {
	return new Blob([_a(e, t)], { type: "image/svg+xml" });
}
async function pu(e, t, n) {
	let r = document.createElement("canvas");
	r.width = Math.ceil(e.width * n), r.height = Math.ceil(e.height * n);
	let i = r.getContext("2d");
	i.fillStyle = t, i.fillRect(0, 0, r.width, r.height), i.scale(n, n), ua(i, e.marks);
	let a = await new Promise((e) => r.toBlob(e, "image/png"));
	if (!a) throw Error("The picture is too large for this scale; choose a smaller one.");
	return a;
}
function mu(e, t) {
	let n = document.createElement("a");
	n.href = URL.createObjectURL(e), n.download = t, n.click(), setTimeout(() => URL.revokeObjectURL(n.href), 1e4);
}
//#endregion
//#region src/core/link.svelte.ts
function hu(e, t) {
	return Su(e, t).map((t) => `${t}=${encodeURIComponent(JSON.stringify(e[t]))}`).join("&");
}
function gu(e, t) {
	let n = structuredClone(t.selection);
	for (let r of e.replace(/^#/, "").split("&")) {
		let [e, i] = r.split("=", 2);
		if (e in n && i !== void 0) try {
			let r = JSON.parse(decodeURIComponent(i));
			vu(e, r, t) && Object.assign(n, { [e]: r });
		} catch {}
	}
	let r = t.attentions.find((e) => e.attention === n.attention).layers, i = r.find((e) => e.layer === n.layer) ?? r[0];
	return n.layer = i.layer, n.heads = n.heads.filter((e) => i.heads.includes(e)), n.heads.length === 0 && (n.heads = [...i.heads]), n;
}
var _u = {
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
	weighting: ["weights", "norm"],
	direction: ["from", "to"],
	reverse: [!0, !1],
	without_first: [!0, !1]
};
function vu(e, t, n) {
	let r = (e) => Number.isInteger(e) && e >= 0, i = (e) => r(e) && Object.values(n.sides).some(({ tokens: t }) => e < t.length);
	if (e === "kind" && t === "image" && !n.images || e === "kind" && t === "neuron" && !n.attentions.some(({ layers: e }) => e.some((e) => e.vectors))) return !1;
	if (_u[e]) return _u[e].includes(t);
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
function yu(e) {
	let t = ({ kind: e, attention: t, layer: n, order: r, asked: i }) => JSON.stringify([
		e,
		t,
		n,
		r,
		i
	]), n = t(We(e.selection));
	return Dn(() => {
		B(() => {
			let r = We(e.selection), i = hu(r, e.scene.selection), a = t(r) !== n;
			if (n = t(r), location.hash.replace(/^#/, "") === i) return;
			let o = i ? `#${i}` : location.pathname + location.search;
			try {
				a ? history.pushState(null, "", o) : history.replaceState(null, "", o);
			} catch {}
		});
	});
}
function bu(e) {
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
	}, i = We(e.selection), a = i.kind === "model" ? ["kind"] : ["kind", "layer"], o = e.heads.length === e.layer.heads.length, s = /* @__PURE__ */ new Set([...a, ...Su(i, r)]);
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
	].filter((e) => s.has(e)).map((e) => `${e}=${xu(i[e])}`)].join(", ")})`;
}
function xu(e) {
	return e === null ? "None" : typeof e == "boolean" ? e ? "True" : "False" : Array.isArray(e) ? `[${e.map((e) => Array.isArray(e) ? `(${e.map(xu).join(", ")})` : xu(e)).join(", ")}]` : JSON.stringify(e);
}
function Su(e, t) {
	return Object.keys(t).filter((n) => JSON.stringify(e[n]) !== JSON.stringify(t[n]));
}
//#endregion
//#region src/parts/Export.svelte
var Cu = /* @__PURE__ */ K("<option> </option>"), wu = /* @__PURE__ */ K("<button type=\"button\" class=\"plain\">Copy as Python</button>"), Tu = /* @__PURE__ */ K("<button type=\"button\" class=\"plain\">Copy link</button>"), Eu = /* @__PURE__ */ K("<span class=\"said svelte-j2sk0e\" role=\"status\"> </span>"), Du = /* @__PURE__ */ K("<div class=\"export svelte-j2sk0e\" role=\"group\" aria-label=\"Take it elsewhere\"><button type=\"button\" class=\"plain\">Save SVG</button> <button type=\"button\" class=\"plain\">Save PNG</button> <label><span class=\"hidden\">PNG scale</span> <select></select></label> <!> <!> <!></div>");
function Ou(e, t) {
	j(t, !0);
	let n = Xe("store"), r = /* @__PURE__ */ P(2), i = /* @__PURE__ */ P("");
	function a(e) {
		let { kind: t } = n.selection, r = t === "matrix" || t === "neuron" ? String(n.heads[0]) : n.heads.length === n.layer.heads.length ? "all" : n.heads.join("+"), i = t === "model" ? "" : `-${n.layer.layer}.${r}`;
		return `${n.scene.title.replace(/[^\p{L}\p{N}._-]+/gu, "-").slice(0, 60)}-${t}${i}.${e}`;
	}
	async function o(e) {
		F(i, "");
		let t = n.picture?.();
		if (!t) F(i, "There is no picture to save here.");
		else try {
			mu(e === "svg" ? fu(t, n.colours.page) : await pu(t, n.colours.page, W(r)), a(e));
		} catch (e) {
			F(i, e instanceof Error ? e.message : String(e), !0);
		}
	}
	async function s(e, t) {
		try {
			await navigator.clipboard.writeText(e), F(i, `${t} copied.`);
		} catch {
			F(i, e, !0);
		}
		setTimeout(() => F(i, W(i) === `${t} copied.` ? "" : W(i), !0), 4e3);
	}
	var c = Du(), l = I(c), u = z(l, 2), d = z(u, 2), f = z(I(d), 2);
	X(f, 20, () => [
		1,
		2,
		3,
		4
	], (e) => e, (e, t) => {
		var n = Cu(), r = R(n), i = {};
		V(() => {
			J(r, `${t ?? ""}×`), i !== (i = t) && (n.value = (n.__value = i) ?? "");
		}), q(e, n);
	}), A(f), Ei(f), A(d);
	var p = z(d, 2), m = (e) => {
		var t = wu();
		G("click", t, () => s(bu(n) ?? "", "The call")), q(e, t);
	};
	Y(p, (e) => {
		n.scene.call && e(m);
	});
	var h = z(p, 2), g = (e) => {
		var t = Tu();
		G("click", t, () => s(location.href, "The link")), q(e, t);
	};
	Y(h, (e) => {
		t.fill && window.parent === window && e(g);
	});
	var _ = z(h, 2), v = (e) => {
		var t = Eu(), n = R(t, !0);
		V(() => J(n, W(i))), q(e, t);
	};
	Y(_, (e) => {
		W(i) && e(v);
	}), A(c), G("click", l, () => o("svg")), G("click", u, () => o("png")), Di(f, () => W(r), (e) => F(r, e)), q(e, c), Qe();
}
Nr(["click"]);
//#endregion
//#region src/parts/Find.svelte
var ku = /* @__PURE__ */ K("<span class=\"count svelte-1h50zdz\" role=\"status\"> </span>"), Au = /* @__PURE__ */ K("<label class=\"find svelte-1h50zdz\"><span class=\"hidden\">Find a token</span> <input type=\"search\" placeholder=\"Find a token\" class=\"svelte-1h50zdz\"/> <!></label>");
function ju(e, t) {
	j(t, !0);
	let n = Xe("store"), r = /* @__PURE__ */ P(""), i = /* @__PURE__ */ P(-1), a = /* @__PURE__ */ M(() => n.matches(W(r)));
	function o(e) {
		W(a).length !== 0 && (F(i, (W(i) + e + W(a).length) % W(a).length), n.found = { unit: W(a)[W(i)] }, n.hover = ["query", W(a)[W(i)]]);
	}
	function s(e) {
		if (e.key === "Enter") o(e.shiftKey ? -1 : 1);
		else if (e.key === "Escape") F(r, ""), n.hover = null;
		else return;
		e.preventDefault(), e.stopPropagation();
	}
	var c = Au(), l = z(I(c), 2);
	zi(l);
	var u = z(l, 2), d = (e) => {
		var t = ku(), n = R(t, !0);
		V(() => J(n, W(a).length === 0 ? "none" : W(i) < 0 ? W(a).length : `${W(i) + 1} of ${W(a).length}`)), q(e, t);
	}, f = /* @__PURE__ */ M(() => W(r).trim());
	Y(u, (e) => {
		W(f) && e(d);
	}), A(c), G("input", l, () => F(i, -1)), G("keydown", l, s), qi(l, () => W(r), (e) => F(r, e)), q(e, c), Qe();
}
Nr(["input", "keydown"]);
//#endregion
//#region src/parts/Threshold.svelte
var Mu = /* @__PURE__ */ K("<button type=\"button\" class=\"plain\">Automatic</button>"), Nu = /* @__PURE__ */ K("<span class=\"mass svelte-1vctot1\"> </span>"), Pu = /* @__PURE__ */ K("<span class=\"mass svelte-1vctot1\">each head on its own scale</span>"), Fu = /* @__PURE__ */ K("<span class=\"mass svelte-1vctot1\"><!></span>"), Iu = /* @__PURE__ */ K("<i class=\"svelte-1vctot1\"></i>"), Lu = /* @__PURE__ */ K("<span class=\"scale svelte-1vctot1\" role=\"img\">0 <!> </span>"), Ru = /* @__PURE__ */ K("<label class=\"svelte-1vctot1\"> <input type=\"range\" min=\"0\" step=\"1\" class=\"svelte-1vctot1\"/></label> <!> <!> <!>", 1);
function zu(e, t) {
	j(t, !0);
	let n = Xe("store"), r = /* @__PURE__ */ M(() => n.heads.filter((e) => n.hasRows(e))), i = /* @__PURE__ */ M(() => n.selection.kind === "model" ? s() : n.drawn(W(r))), a = /* @__PURE__ */ M(() => n.selection.kind === "head" && n.active.length > 0 ? n.activeCeiling(W(r)) : W(i).ceiling), o = /* @__PURE__ */ M(() => n.attention.shares ? 1 : W(i).ceiling);
	function s() {
		let e = Vc(n), t = n.attention.layers.flatMap(({ layer: e, heads: t }) => t.filter((t) => n.hasRows(t, e)).map((t) => ({
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
			mass: Ka(t.map(({ layer: e, head: t }) => ({
				links: n.links(t, e),
				best: null
			})), e, n.total(t.map(({ layer: e, head: t }) => [t, e])))
		};
	}
	let c = /* @__PURE__ */ M(() => {
		let e = Ra.findIndex((e) => e * W(o) >= W(i).least * .999);
		return e < 0 ? Ra.length - 1 : e;
	}), l = /* @__PURE__ */ M(() => W(i).mass === null ? "" : W(i).mass > .995 ? "all" : `${Math.round(W(i).mass * 100)}%`), u = [
		.1,
		.25,
		.5,
		.75,
		1
	];
	var d = Ru(), f = L(d), p = I(f), m = z(p);
	zi(m), A(f);
	var h = z(f, 2), g = (e) => {
		var t = Mu();
		G("click", t, () => n.selection.threshold = null), q(e, t);
	};
	Y(h, (e) => {
		n.selection.threshold !== null && e(g);
	});
	var _ = z(h, 2), v = (e) => {
		var t = Nu(), r = R(t);
		V(() => {
			Q(t, "title", n.selection.threshold === null && n.selection.kind === "head" ? "Links of this weight and more, and each token's strongest link." : "Links of this weight and more."), J(r, `${W(l) ?? ""} of ${n.withoutFirst ? "other " : ""}attention drawn${W(i).cut ? ", the most that can be" : ""}`);
		}), q(e, t);
	};
	Y(_, (e) => {
		W(l) && e(v);
	});
	var y = z(_, 2), b = (e) => {
		q(e, Pu());
	}, x = /* @__PURE__ */ M(() => n.selection.kind === "model" && Hc(n)), S = (e) => {
		var t = Fu();
		fs(I(t), {
			low: "0",
			high: "1",
			get dark() {
				return n.dark;
			}
		}), A(t), q(e, t);
	}, C = /* @__PURE__ */ M(() => n.selection.kind === "model" && !Bc(n)), w = (e) => {
		var t = Lu(), n = z(I(t));
		X(n, 16, () => u, (e) => e, (e, t) => {
			var n = Iu();
			let r;
			V((e) => r = Z(n, "", r, {
				opacity: e,
				height: `${.6 + 2.4 * t}px`
			}), [() => Ya(t)]), q(e, n);
		});
		var r = z(n);
		A(t), V((e, n) => {
			Q(t, "aria-label", `A link of ${e ?? ""} or more is drawn strongest`), J(r, ` ${W(a) < .995 && W(a) === W(i).ceiling ? "≥ " : ""}${n ?? ""}`);
		}, [() => $(W(a)), () => $(W(a))]), q(e, t);
	};
	Y(y, (e) => {
		W(x) ? e(b) : W(C) ? e(S, 1) : e(w, -1);
	}), V((e, t) => {
		J(p, `Hide below ${e ?? ""} `), Q(m, "max", Ra.length - 1), Bi(m, W(c)), Q(m, "aria-valuetext", t);
	}, [() => $(W(i).least), () => $(Ra[W(c)] * W(o))]), G("input", m, (e) => n.selection.threshold = Ra[Number(e.currentTarget.value)] * W(o)), q(e, d), Qe();
}
Nr(["input", "click"]);
//#endregion
//#region src/parts/Toolbar.svelte
var Bu = /* @__PURE__ */ K("<button type=\"button\" role=\"tab\" class=\"svelte-cy88mx\"> </button>"), Vu = /* @__PURE__ */ K("<option> </option>"), Hu = /* @__PURE__ */ K("<label class=\"svelte-cy88mx\">Attention <select></select></label>"), Uu = /* @__PURE__ */ K("<div class=\"layer svelte-cy88mx\"><label class=\"svelte-cy88mx\">Layer <select></select></label> <button type=\"button\" class=\"plain\" aria-label=\"Layer before\">‹</button> <button type=\"button\" class=\"plain\" aria-label=\"Layer after\">›</button></div>"), Wu = /* @__PURE__ */ K("<option>by what was asked</option>"), Gu = /* @__PURE__ */ K("<label class=\"svelte-cy88mx\"> <select class=\"name svelte-cy88mx\"><option>any</option><!></select></label>"), Ku = /* @__PURE__ */ K("<label class=\"svelte-cy88mx\">Colour <select><option>by head</option><!></select></label> <!>", 1), qu = /* @__PURE__ */ K("<div class=\"layer svelte-cy88mx\"><label class=\"svelte-cy88mx\">Order <select><option>by layer</option><!><!></select></label> <button type=\"button\" class=\"plain\" aria-label=\"Reverse the order\" title=\"Reverse the order\"> </button></div> <!>", 1), Ju = /* @__PURE__ */ K("<label class=\"svelte-cy88mx\">Sentences <select><option>all</option><option>A → A</option><option>B → B</option><option>A → B</option><option>B → A</option></select></label>"), Yu = /* @__PURE__ */ K("<label class=\"svelte-cy88mx\"><input type=\"checkbox\" class=\"svelte-cy88mx\"/> Whole words</label>"), Xu = /* @__PURE__ */ K("<label title=\"Each weight times the length of the vector that it moves; rows are made to sum to 1 again\" class=\"svelte-cy88mx\"><input type=\"checkbox\" class=\"svelte-cy88mx\"/> By norm</label>"), Zu = /* @__PURE__ */ K("<label title=\"Leaves out what is on the first token, and makes rows sum to 1 again; the numbers beside tokens and heads say how much that was\" class=\"svelte-cy88mx\"><input type=\"checkbox\" class=\"svelte-cy88mx\"/> Without first token</label>"), Qu = /* @__PURE__ */ K("<label class=\"svelte-cy88mx\"><input type=\"checkbox\" class=\"svelte-cy88mx\"/> Horizontal</label>"), $u = /* @__PURE__ */ K("<label class=\"svelte-cy88mx\">Size <input class=\"size svelte-cy88mx\" type=\"range\" min=\"12\" max=\"160\" step=\"2\"/></label>"), ed = /* @__PURE__ */ K("<label class=\"svelte-cy88mx\">Show <select><option>what a word attends to</option><option>what attends to a word</option></select></label>"), td = /* @__PURE__ */ K("<button type=\"button\" class=\"plain\"> </button>"), nd = /* @__PURE__ */ K("<button type=\"button\" class=\"plain strong svelte-cy88mx\"> </button>"), rd = /* @__PURE__ */ K("<div class=\"bar svelte-cy88mx\"><div class=\"tabs svelte-cy88mx\" role=\"tablist\" aria-label=\"View\"></div> <h1 class=\"svelte-cy88mx\"><bdi> </bdi></h1> <!></div> <div class=\"bar choices svelte-cy88mx\"><!> <!> <!> <!> <!> <!> <!> <!> <!> <!> <!> <!> <!></div>", 1);
function id(e, t) {
	j(t, !0);
	let n = Xe("store"), { scene: r } = n, i = r.attentions.some((e) => e.layers.some((e) => e.vectors)) && !r.panes, a = [
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
	}, s = /* @__PURE__ */ M(() => n.attention.layers.map((e) => e.layer)), c = /* @__PURE__ */ M(() => W(s).indexOf(n.layer.layer)), l = /* @__PURE__ */ M(() => n.selection.kind), u;
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
	var p = rd(), m = L(p), h = I(m);
	X(h, 23, () => a, (e) => e.kind, (e, t, r) => {
		var i = Bu(), a = R(i, !0);
		V(() => {
			Q(i, "aria-selected", W(l) === W(t).kind), Q(i, "tabindex", W(l) === W(t).kind ? 0 : -1), J(a, W(t).text);
		}), G("click", i, () => n.selection.kind = W(t).kind), G("keydown", i, (e) => d(e, W(r))), q(e, i);
	}), A(h), ea(h, (e) => u = e, () => u);
	var g = z(h, 2), _ = R(I(g), !0);
	A(g), Ou(z(g, 2), { get fill() {
		return t.fill;
	} }), A(m);
	var v = z(m, 2), y = I(v), b = (e) => {
		var t = Hu(), r = z(I(t));
		X(r, 21, () => n.pane.attentions, (e) => e.attention, (e, t) => {
			var n = Vu(), r = R(n, !0), i = {};
			V(() => {
				J(r, o[W(t).attention]), i !== (i = W(t).attention) && (n.value = (n.__value = i) ?? "");
			}), q(e, n);
		}), A(r);
		var i;
		Ei(r), A(t), V(() => {
			i !== (i = n.attention.attention) && (r.value = (r.__value = i) ?? "", Ti(r, i));
		}), G("change", r, (e) => n.chooseAttention(e.currentTarget.value)), q(e, t);
	};
	Y(y, (e) => {
		n.pane.attentions.length > 1 && e(b);
	});
	var x = z(y, 2), S = (e) => {
		var t = Uu(), r = I(t), i = z(I(r));
		X(i, 20, () => W(s), (e) => e, (e, t) => {
			var n = Vu(), r = R(n, !0), i = {};
			V(() => {
				J(r, t), i !== (i = t) && (n.value = (n.__value = i) ?? "");
			}), q(e, n);
		}), A(i);
		var a;
		Ei(i), A(r);
		var o = z(r, 2), l = z(o, 2);
		A(t), V(() => {
			a !== (a = n.layer.layer) && (i.value = (i.__value = a) ?? "", Ti(i, a)), o.disabled = W(c) === 0, l.disabled = W(c) === W(s).length - 1;
		}), G("change", i, (e) => n.selection.layer = Number(e.currentTarget.value)), G("click", o, () => n.stepLayer(-1)), G("click", l, () => n.stepLayer(1)), q(e, t);
	}, C = (e) => {
		var t = qu(), i = L(t), a = I(i), o = z(I(a)), s = I(o);
		s.value = s.__value = "layer";
		var c = z(s), l = (e) => {
			var t = Wu();
			t.value = t.__value = "asked", q(e, t);
		};
		Y(c, (e) => {
			n.asked && e(l);
		}), X(z(c), 17, () => r.statistics, ({ name: e }) => e, (e, t) => {
			let n = () => W(t).name;
			var r = Vu(), i = R(r, !0), a = {};
			V(() => {
				J(i, n()), a !== (a = n()) && (r.value = (r.__value = a) ?? "");
			}), q(e, r);
		}), A(o);
		var u;
		Ei(o), A(a);
		var d = z(a, 2), p = R(d, !0);
		A(i);
		var m = z(i, 2), h = (e) => {
			var t = Ku(), r = L(t), i = z(I(r)), a = I(i);
			a.value = a.__value = "head", X(z(a), 16, () => n.names.kinds, (e) => e, (e, t, n, r) => {
				var i = Vu(), a = R(i), o = {};
				V(() => {
					J(a, `by ${t ?? ""}`), o !== (o = t) && (i.value = (i.__value = o) ?? "");
				}), q(e, i);
			}), A(i), Ei(i), A(r), X(z(r, 2), 16, () => n.names.kinds.filter((e) => e !== n.selection.colour), (e) => e, (e, t, r, i) => {
				var a = Gu(), o = I(a), s = z(o), c = I(s);
				c.value = c.__value = "", X(z(c), 17, () => n.names.counted(t, n.attention.attention), ({ name: e, count: t }) => e.name, (e, t) => {
					let n = () => W(t).name, r = () => W(t).count;
					var i = Vu(), a = R(i), o = {};
					V(() => {
						J(a, `${n().title ?? ""} (${r() ?? ""})`), o !== (o = n().name) && (i.value = (i.__value = o) ?? "");
					}), q(e, i);
				}), A(s), Ei(s), A(a), V((e) => J(o, `${e ?? ""} `), [() => t[0].toUpperCase() + t.slice(1)]), Di(s, () => n.selection[t], (e) => n.selection[t] = e), q(e, a);
			}), Di(i, () => n.selection.colour, (e) => n.selection.colour = e), q(e, t);
		};
		Y(m, (e) => {
			n.names.kinds.length > 0 && !n.rollout && e(h);
		}), V(() => {
			u !== (u = n.selection.order) && (o.value = (o.__value = u) ?? "", Ti(o, u)), Q(d, "aria-pressed", n.selection.reverse), J(p, n.selection.reverse ? "↑" : "↓");
		}), G("change", o, (e) => f(e.currentTarget.value)), G("click", d, () => n.selection.reverse = !n.selection.reverse), q(e, t);
	};
	Y(x, (e) => {
		W(l) === "model" ? e(C, -1) : e(S);
	});
	var w = z(x, 2), ee = (e) => {
		var t = Ju(), r = z(I(t)), i = I(r);
		i.value = i.__value = "all";
		var a = z(i);
		a.value = a.__value = "a-a";
		var o = z(a);
		o.value = o.__value = "b-b";
		var s = z(o);
		s.value = s.__value = "a-b";
		var c = z(s);
		c.value = c.__value = "b-a", A(r), Ei(r), A(t), Di(r, () => n.selection.sentences, (e) => n.selection.sentences = e), q(e, t);
	};
	Y(w, (e) => {
		n.hasSentences && W(l) !== "neuron" && e(ee);
	});
	var T = z(w, 2), te = (e) => {
		var t = Yu(), r = I(t);
		zi(r), Te(), A(t), V(() => Vi(r, n.selection.level === "words")), G("change", r, (e) => n.selection.level = e.currentTarget.checked ? "words" : "pieces"), q(e, t);
	};
	Y(T, (e) => {
		n.hasWords && W(l) !== "neuron" && e(te);
	});
	var ne = z(T, 2), re = (e) => {
		var t = Xu(), r = I(t);
		zi(r), Te(), A(t), V(() => Vi(r, n.selection.weighting === "norm")), G("change", r, (e) => n.selection.weighting = e.currentTarget.checked ? "norm" : "weights"), q(e, t);
	};
	Y(ne, (e) => {
		n.hasNorms && W(l) !== "neuron" && e(re);
	});
	var E = z(ne, 2), ie = (e) => {
		var t = Zu(), r = I(t);
		zi(r), Te(), A(t), Ji(r, () => n.selection.without_first, (e) => n.selection.without_first = e), q(e, t);
	};
	Y(E, (e) => {
		n.hasFirst && W(l) !== "neuron" && W(l) !== "image" && e(ie);
	});
	var ae = z(E, 2), oe = (e) => {
		var t = Qu(), r = I(t);
		zi(r), Te(), A(t), V(() => Vi(r, n.selection.layout === "rows")), G("change", r, (e) => n.selection.layout = e.currentTarget.checked ? "rows" : "columns"), q(e, t);
	};
	Y(ae, (e) => {
		W(l) === "head" && e(oe);
	});
	var se = z(ae, 2), ce = (e) => {
		zu(e, {});
	};
	Y(se, (e) => {
		(W(l) === "head" || W(l) === "model") && e(ce);
	});
	var le = z(se, 2), ue = (e) => {
		var t = $u(), r = z(I(t));
		zi(r), A(t), V(() => Bi(r, n.selection.square ?? 112)), G("input", r, (e) => n.selection.square = Number(e.currentTarget.value)), q(e, t);
	};
	Y(le, (e) => {
		W(l) === "model" && e(ue);
	});
	var de = z(le, 2), fe = (e) => {
		var t = ed(), r = z(I(t)), i = I(r);
		i.value = i.__value = "from";
		var a = z(i);
		a.value = a.__value = "to", A(r), Ei(r), A(t), Di(r, () => n.selection.direction, (e) => n.selection.direction = e), q(e, t);
	};
	Y(de, (e) => {
		W(l) === "text" && e(fe);
	});
	var pe = z(de, 2), me = (e) => {
		ju(e, {});
	};
	Y(pe, (e) => {
		W(l) !== "image" && W(l) !== "neuron" && e(me);
	});
	var D = z(pe, 2), he = (e) => {
		var t = td(), r = R(t);
		V(() => J(r, `Unpin ${n.selection.pinned.length ?? ""}`)), G("click", t, () => n.unpin()), q(e, t);
	};
	Y(D, (e) => {
		n.selection.pinned.length > 0 && W(l) !== "neuron" && e(he);
	});
	var ge = z(D, 2), _e = (e) => {
		let t = /* @__PURE__ */ M(() => {
			let [e, t] = n.pair;
			return {
				query: e,
				key: t
			};
		});
		var r = nd(), i = R(r);
		V((e, t) => J(i, `Which heads link ${e ?? ""} → ${t ?? ""}?`), [() => io(n.queries[W(t).query].text), () => io(n.keys[W(t).key].text)]), G("click", r, () => n.ask(W(t).query, W(t).key)), q(e, r);
	};
	Y(ge, (e) => {
		n.pair && e(_e);
	}), A(v), V(() => {
		Q(g, "title", r.title), J(_, r.title);
	}), q(e, p), Qe();
}
Nr([
	"click",
	"keydown",
	"change",
	"input"
]);
//#endregion
//#region src/App.svelte
var ad = /* @__PURE__ */ K("<div class=\"panes svelte-1n46o8q\"></div>"), od = /* @__PURE__ */ K("<p class=\"note svelte-1n46o8q\" role=\"note\"> </p>"), sd = /* @__PURE__ */ K("<p> </p>"), cd = /* @__PURE__ */ K("<div class=\"print svelte-1n46o8q\"><!><!></div>"), ld = /* @__PURE__ */ K("<div role=\"region\"><div class=\"screen svelte-1n46o8q\"><!> <!> <!> <!></div> <!></div>");
function ud(e, t) {
	j(t, !0);
	let n = ra(t, "store", 7);
	Ze("store", n());
	let r, i = /* @__PURE__ */ P([]);
	B(() => la(() => n().dark = oa(n().scene.theme, t.fill ? null : r.parentElement))), B(() => {
		let e = () => {
			let e = n().dark;
			n().dark = !1, Rt();
			let t = n().panes.flatMap((e) => e.picture?.() ?? []);
			F(i, t.map((e) => _a(e, ia.light.page))), n().dark = e, Rt();
		}, t = () => F(i, []);
		return window.addEventListener("beforeprint", e), window.addEventListener("afterprint", t), () => {
			window.removeEventListener("beforeprint", e), window.removeEventListener("afterprint", t);
		};
	});
	function a(e) {
		e.target instanceof HTMLSelectElement || e.target instanceof HTMLInputElement || (e.key === "Escape" ? (n().detail && n().selection.kind === "model" ? n().detail = !1 : n().unpin(), n().hover = null) : e.key === "[" ? n().stepLayer(-1) : e.key === "]" && n().stepLayer(1));
	}
	function o(e) {
		B(() => {
			for (let [t, r] of Object.entries(n().colours)) e.style.setProperty(`--${t}`, r);
			e.style.setProperty("--font", aa), e.style.setProperty("color-scheme", n().dark ? "dark" : "light");
		});
	}
	var s = ld();
	let c;
	var l = I(s), u = I(l);
	id(u, { get fill() {
		return t.fill;
	} });
	var d = z(u, 2), f = (e) => {
		var t = ad();
		X(t, 21, () => n().panes, $r, (e, t) => {
			{
				let n = /* @__PURE__ */ M(() => W(t).pane.name ?? "first");
				du(e, {
					get store() {
						return W(t);
					},
					get name() {
						return W(n);
					}
				});
			}
		}), A(t), q(e, t);
	}, p = (e) => {
		du(e, { get store() {
			return n();
		} });
	};
	Y(d, (e) => {
		n().panes.length > 1 ? e(f) : e(p, -1);
	});
	var m = z(d, 2);
	X(m, 17, () => n().scene.edits, $r, (e, t) => {
		var n = od(), r = R(n);
		V(() => J(r, `Attention was changed (${W(t).edit ?? ""}) in ${W(t).heads.length ?? ""} heads.`)), q(e, n);
	}), X(z(m, 2), 16, () => n().scene.notes, (e) => e, (e, t) => {
		var n = od(), r = R(n, !0);
		V(() => J(r, t)), q(e, n);
	}), A(l), X(z(l, 2), 17, () => W(i), $r, (e, t, r) => {
		var i = cd(), a = I(i), o = (e) => {
			var t = sd(), r = R(t, !0);
			V(() => J(r, n().scene.title)), q(e, t);
		};
		Y(a, (e) => {
			r === 0 && e(o);
		}), ci(z(a), () => W(t)), A(i), q(e, i);
	}), A(s), ea(s, (e) => r = e, () => r), di(s, () => o), V(() => {
		c = bi(s, 1, "attlas svelte-1n46o8q", null, c, { fill: t.fill }), Q(s, "data-theme", n().dark ? "dark" : "light"), Q(s, "aria-label", `Attention of ${n().scene.title ?? ""}`);
	}), G("keydown", s, a), q(e, s), Qe();
}
Nr(["keydown"]);
//#endregion
//#region src/core/bridge.ts
function dd(e, t, n, r, i) {
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
function fd(e) {
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
var pd = (e, t) => JSON.stringify(e) === JSON.stringify(t);
function md(e, t) {
	let n = Object.keys(e.selection), r = (n) => {
		let r = t.get(n);
		pd(r, We(e.selection[n])) || Object.assign(e.selection, { [n]: r });
	}, i = n.map((e) => {
		r(e);
		let n = () => r(e);
		return t.on(`change:${e}`, n), () => t.off(`change:${e}`, n);
	}), a = new Map(n.map((t) => [t, JSON.stringify(We(e.selection[t]))])), o = Dn(() => {
		B(() => {
			let r = !1;
			for (let i of n) {
				let n = We(e.selection[i]), o = JSON.stringify(n);
				a.get(i) !== o && (a.set(i, o), !pd(n, t.get(i)) && (t.set(i, n), r = !0));
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
async function hd(e, t, n, r = !1) {
	try {
		let i = await Da(n);
		hc(t, i.byteLength);
		let a = new Mc(t, i, oa(t.theme, r ? null : e));
		for (let e of t.panes ?? []) new Mc(t, i, a.dark, e, a);
		let o = qr(ud, {
			target: e,
			props: {
				store: a,
				fill: r
			}
		});
		return Rt(), {
			store: a,
			destroy: () => void Zr(o)
		};
	} catch (t) {
		let n = document.createElement("p");
		throw n.setAttribute("role", "alert"), n.textContent = t instanceof Error ? t.message : String(t), e.replaceChildren(n), t;
	}
}
function gd(e) {
	return new Uint8Array(e.buffer, e.byteOffset, e.byteLength);
}
var _d = (e) => Object.keys(e.selection);
function vd({ model: e }) {
	let t = e.get("scene");
	return dd(e.get("key"), e, _d(t), () => gd(e.get("data")), () => oa("system", document.body));
}
async function yd({ model: e, el: t }) {
	let n = structuredClone(e.get("scene"));
	for (let t of _d(n)) Object.assign(n.selection, { [t]: e.get(t) });
	let { store: r, destroy: i } = await hd(t, n, gd(e.get("data"))), a = md(r, e);
	return () => {
		a(), i();
	};
}
var bd = {
	initialize: vd,
	render: yd
};
async function xd(e, t) {
	let n = document.querySelector("script[data-attlas=\"data\"]")?.textContent, { key: r } = e.dataset, i = r && window.parent !== window ? fd(r) : null, a = n ? Ea(n) : (await i)?.data;
	if (!a) return;
	let o = structuredClone(t.selection);
	location.hash.length > 1 && (t.selection = gu(location.hash, t), t.why = "");
	let { store: s } = await hd(e, t, a, !0);
	t.selection = o, yu(s), window.addEventListener("hashchange", () => Object.assign(s.selection, gu(location.hash, t))), performance.mark("attlas-drawn"), i?.then(({ model: e, dark: n }) => {
		n !== null && t.theme === "system" && (t.theme = n ? "dark" : "light"), s.dark = oa(t.theme), md(s, e);
	});
}
var Sd = document.querySelector("script[data-attlas=\"scene\"]");
Sd?.textContent && xd(document.getElementById("attlas"), JSON.parse(Sd.textContent));
//#endregion
export { bd as default, hd as mount };
