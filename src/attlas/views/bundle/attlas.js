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
var m = 1 << 24, h = 1024, g = 2048, _ = 4096, v = 8192, y = 16384, b = 32768, x = 1 << 25, S = 65536, ee = 1 << 19, te = 1 << 20, C = 1 << 25, ne = 1 << 21, re = 1 << 22, ie = 1 << 23, w = Symbol("$state"), ae = Symbol("component"), oe = Symbol("legacy props"), se = Symbol(""), ce = Symbol("attributes"), le = Symbol("class"), ue = Symbol("style"), de = Symbol("text"), fe = Symbol("form reset"), pe = new class extends Error {
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
function O(e) {
	if (e === null) throw ve(), he;
	return D = e;
}
function Se() {
	return O(/* @__PURE__ */ un(D));
}
function k(e) {
	if (E) {
		if (/* @__PURE__ */ un(D) !== null) throw ve(), he;
		D = e;
	}
}
function Ce(e = 1) {
	if (E) {
		for (var t = e, n = D; t--;) n = /* @__PURE__ */ un(n);
		D = n;
	}
}
function we(e = !0) {
	for (var t = 0, n = D;;) {
		if (n.nodeType === 8) {
			var r = n.data;
			if (r === "]") {
				if (t === 0) return n;
				--t;
			} else (r === "[" || r === "[!" || r[0] === "[" && !isNaN(Number(r.slice(1)))) && (t += 1);
		}
		var i = /* @__PURE__ */ un(n);
		e && n.remove(), n = i;
	}
}
function Te(e) {
	if (!e || e.nodeType !== 8) throw ve(), he;
	return e.data;
}
// node_modules/svelte/src/internal/client/reactivity/equality.js
function Ee(e) {
	return e === this.v;
}
function De(e, t) {
	return e == e ? e !== t || typeof e == "object" && !!e || typeof e == "function" : t == t;
}
function Oe(e) {
	return !De(e, this.v);
}
function ke(e) {
	throw Error("https://svelte.dev/e/lifecycle_outside_component");
}
// node_modules/svelte/src/internal/client/errors.js
function Ae() {
	throw Error("https://svelte.dev/e/async_derived_orphan");
}
function je(e, t, n) {
	throw Error("https://svelte.dev/e/each_key_duplicate");
}
function Me(e) {
	throw Error("https://svelte.dev/e/effect_in_teardown");
}
function Ne() {
	throw Error("https://svelte.dev/e/effect_in_unowned_derived");
}
function Pe(e) {
	throw Error("https://svelte.dev/e/effect_orphan");
}
function Fe() {
	throw Error("https://svelte.dev/e/effect_update_depth_exceeded");
}
function Ie(e) {
	throw Error("https://svelte.dev/e/props_invalid_value");
}
function Le() {
	throw Error("https://svelte.dev/e/state_descriptors_fixed");
}
function Re() {
	throw Error("https://svelte.dev/e/state_prototype_fixed");
}
function ze() {
	throw Error("https://svelte.dev/e/state_unsafe_mutation");
}
function Be() {
	throw Error("https://svelte.dev/e/svelte_boundary_reset_onerror");
}
// node_modules/svelte/src/internal/shared/clone.js
var Ve = [];
function He(e, t = !1, n = !1) {
	return Ue(e, /* @__PURE__ */ new Map(), "", Ve, null, n);
}
function Ue(t, n, r, i, a = null, o = !1) {
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
				d in t && (u[d] = Ue(f, n, r, i, null, o));
			}
			return u;
		}
		if (l(t) === s) {
			u = {}, n.set(t, u), a !== null && n.set(a, u);
			for (var p of Object.keys(t)) u[p] = Ue(t[p], n, r, i, null, o);
			return u;
		}
		if (t instanceof Date) return t.getTime(), structuredClone(t);
		if (typeof t.toJSON == "function" && !o) return Ue(t.toJSON(), n, r, i, t);
	}
	if (t instanceof EventTarget) return t;
	try {
		return structuredClone(t);
	} catch {
		return t;
	}
}
// node_modules/svelte/src/internal/shared/context.js
function We(e) {
	let t = e.p;
	for (; t !== null && t.c === null;) t = t.p;
	return t?.c ?? null;
}
function Ge(e, t) {
	return e === null && ke(t), e.c ??= new Map(We(e) || void 0);
}
// node_modules/svelte/src/internal/client/context.js
var A = null;
function Ke(e) {
	A = e;
}
function qe(e) {
	return Ge(A, "getContext").get(e);
}
function Je(e, t) {
	return Ge(A, "setContext").set(e, t), t;
}
function Ye(e, t = !1, n) {
	A = {
		p: A,
		i: !1,
		c: null,
		e: null,
		s: e,
		x: null,
		r: H,
		l: null
	};
}
function Xe(e) {
	var t = A, n = t.e;
	if (n !== null) {
		t.e = null;
		for (var r of n) Cn(r);
	}
	return e !== void 0 && (t.x = e), t.i = !0, A = t.p, Ze(e);
}
function Ze(e = {}) {
	return i(e, ae, { value: !0 }), e;
}
function Qe() {
	return !0;
}
// node_modules/svelte/src/internal/client/dom/task.js
var $e = [];
function et() {
	var e = $e;
	$e = [], f(e);
}
function tt(e) {
	if ($e.length === 0 && !Dt) {
		var t = $e;
		queueMicrotask(() => {
			t === $e && et();
		});
	}
	$e.push(e);
}
function nt() {
	for (; $e.length > 0;) et();
}
// node_modules/svelte/src/internal/client/reactivity/status.js
var rt = ~(g | _ | h);
function j(e, t) {
	e.f = e.f & rt | t;
}
function it(e) {
	e.f & 512 || e.deps === null ? j(e, h) : j(e, _);
}
// node_modules/svelte/src/internal/client/reactivity/utils.js
function at(e, t) {
	e.f & 2048 ? t.set(e, g) : e.f & 4096 && t.get(e) !== 2048 && t.set(e, _), j(e, h);
}
// node_modules/svelte/src/internal/client/dom/elements/misc.js
var ot = !1;
function st() {
	ot || (ot = !0, document.addEventListener("reset", (e) => {
		Promise.resolve().then(() => {
			if (!e.defaultPrevented) for (let t of e.target.elements) t[fe]?.();
		});
	}, { capture: !0 }));
}
// node_modules/svelte/src/internal/client/dom/elements/bindings/shared.js
function ct(e) {
	var t = V, n = H;
	qn(null), Jn(null);
	try {
		return e();
	} finally {
		qn(t), Jn(n);
	}
}
function lt(e, t, n, r = n) {
	e.addEventListener(t, () => ct(n));
	let i = e[fe];
	e[fe] = i ? () => {
		i(), r(!0);
	} : () => r(!0), st();
}
// node_modules/svelte/src/internal/client/reactivity/async.js
function ut(e, t, n, r) {
	let i = Qe() ? mt : _t;
	var a = e.filter((e) => !e.settled), o = t.map(i);
	if (n.length === 0 && a.length === 0) {
		r(o);
		return;
	}
	var s = H, c = dt(), l = a.length === 1 ? a[0].promise : a.length > 1 ? Promise.all(a.map((e) => e.promise)) : null;
	function u(e) {
		if (!(s.f & 16384)) {
			c();
			try {
				r([...o, ...e]);
			} catch (e) {
				gn(e, s);
			}
			ft();
		}
	}
	var d = pt();
	if (n.length === 0) {
		l.then(() => u([])).finally(d);
		return;
	}
	function f() {
		Promise.all(n.map((e) => /* @__PURE__ */ gt(e))).then(u).catch((e) => gn(e, s)).finally(d);
	}
	l ? l.then(() => {
		s.f & 16384 ? d() : (c(), f(), ft());
	}) : f();
}
function dt() {
	var e = H, t = V, n = A, r = N;
	return function(i = !0) {
		Jn(e), qn(t), Ke(n), i && !(e.f & 16384) && (r?.activate(), r?.apply());
	};
}
function ft(e = !0) {
	Jn(null), qn(null), Ke(null), e && N?.deactivate();
}
function pt() {
	var e = H, t = e.b, n = N, r = !!t?.is_rendered();
	return t?.update_pending_count(1, n), n.increment(r, e), () => {
		t?.update_pending_count(-1, n), n.decrement(r, e);
	};
}
/*#__NO_SIDE_EFFECTS__*/
function mt(e) {
	var t = 2 | g;
	return H !== null && (H.f |= ee), {
		ctx: A,
		deps: null,
		effects: null,
		equals: Ee,
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
var ht = Symbol("obsolete");
/*#__NO_SIDE_EFFECTS__*/
function gt(e, t, n) {
	let r = H;
	r === null && Ae();
	var i = void 0, a = Wt(T), o = !V, s = /* @__PURE__ */ new Set();
	return Dn(() => {
		var t = H, n = p();
		i = n.promise;
		try {
			Promise.resolve(e()).then(n.resolve, (e) => {
				e !== pe && n.reject(e);
			}).finally(ft);
		} catch (e) {
			n.reject(e), ft();
		}
		var c = N;
		if (o) {
			if (t.f & 32768) var l = pt();
			if (r.b?.is_rendered()) c.async_deriveds.get(t)?.reject(ht);
			else for (let e of s.values()) e.reject(ht);
			s.add(n), c.async_deriveds.set(t, n);
		}
		let u = (e, t = void 0) => {
			l?.(), s.delete(n), t !== ht && (c.activate(), t ? (a.f |= ie, Jt(a, t)) : (a.f & 8388608 && (a.f ^= ie), Jt(a, e)), c.deactivate());
		};
		n.promise.then(u, (e) => u(null, e || "unknown"));
	}), xn(() => {
		for (let e of s) e.reject(ht);
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
	let t = /* @__PURE__ */ mt(e);
	return Xn(t), t;
}
/*#__NO_SIDE_EFFECTS__*/
function _t(e) {
	let t = /* @__PURE__ */ mt(e);
	return t.equals = Oe, t;
}
function vt(e) {
	var t = e.effects;
	if (t !== null) {
		e.effects = null;
		for (var n = 0; n < t.length; n += 1) Fn(t[n]);
	}
}
function yt(e) {
	var t, n = H, r = e.parent;
	if (!Wn && r !== null && e.v !== T && r.f & 24576) return _e(), e.v;
	Jn(r);
	try {
		vt(e), t = cr(e);
	} finally {
		Jn(n);
	}
	return t;
}
function bt(e) {
	var t = yt(e);
	!e.equals(t) && (e.wv = ar(), (!N?.is_fork || e.deps === null) && (N === null ? e.v = t : (N.capture(e, t, !0), wt?.capture(e, t, !0)), e.deps === null)) ? j(e, h) : Wn || (Tt === null ? it(e) : (bn() || N?.is_fork) && Tt.set(e, t));
}
function xt(e) {
	if (e.effects !== null) for (let t of e.effects) (t.teardown || t.ac) && (t.teardown?.(), t.ac !== null && ct(() => {
		t.ac.abort(pe), t.ac = null;
	}), t.fn !== null && (t.teardown = d), dr(t, 0), Nn(t));
}
function St(e) {
	if (e.effects !== null) for (let t of e.effects) t.teardown && t.fn !== null && fr(t);
}
// node_modules/svelte/src/internal/client/reactivity/batch.js
var Ct = null, N = null, wt = null, Tt = null, Et = null, Dt = !1, Ot = !1, kt = null, At = null, jt = 0, Mt = 1, Nt = class e {
	id = Mt++;
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
		Ct === null ? Ct = this : (Ct.next = this, this.prev = Ct), Ct = this;
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
			for (var r of n.d) j(r, g), t(r);
			for (r of n.m) j(r, _), t(r);
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
		for (let [e, t] of this.#s) j(e, t), this.schedule(e);
		this.apply();
		for (var t = kt = [], n = [], r = At = []; this.#a.length > 0;) {
			jt++ > 1e3 && (this.#b(), Ft());
			for (let e of this.#p()) try {
				this.#h(e, t, n);
			} catch (t) {
				throw Bt(e), this.#d() || this.discard(), t;
			}
		}
		if (N = null, r.length > 0) {
			var i = e.ensure();
			for (let e of r) i.schedule(e);
		}
		if (kt = null, At = null, this.#d()) {
			this.#y(n), this.#y(t);
			for (let [e, t] of this.#c) zt(e, t);
			r.length > 0 && N.#m();
			return;
		}
		let a = this.#g();
		if (a) this.#y(n), this.#y(t), a.#v(this);
		else {
			this.#s.clear();
			for (let e of this.#e) e(this);
			this.#e.clear(), wt = this, Lt(n), Lt(t), wt = null, this.#i?.resolve();
			var o = N;
			this.#n === 0 && (this.#a.length === 0 || o !== null) && this.#b(), o !== null && (Ht.clear(), o.#m());
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
					r & 4194320 && !this.async_deriveds.has(i) && (this.#s.delete(i), j(i, g), this.schedule(i));
				}
			}
		};
		for (let e of this.current.keys()) t(e);
		this.oncommit(() => e.discard()), e.#b(), N = this, this.#m();
	}
	#y(e) {
		for (var t = 0; t < e.length; t += 1) at(e[t], this.#s);
	}
	capture(e, t, n = !1) {
		e.v !== T && !this.previous.has(e) && this.previous.set(e, e.v), e.f & 8388608 || (this.current.set(e, [t, n]), Tt?.set(e, t)), this.is_fork || (e.v = t);
	}
	activate() {
		N = this;
	}
	deactivate() {
		N = null, Tt = null;
	}
	flush() {
		try {
			Ot = !0, N = this, this.#m();
		} finally {
			jt = 0, Et = null, kt = null, At = null, Ot = !1, N = null, Tt = null, Ht.clear();
		}
	}
	discard() {
		for (let e of this.#t) e(this);
		this.#t.clear();
		for (let e of this.async_deriveds.values()) e.reject(ht);
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
		this.#u || (this.#u = !0, tt(() => {
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
			!Ot && !Dt && tt(() => {
				t.started || t.flush();
			});
		}
		return N;
	}
	apply() {
		Tt = null;
	}
	schedule(e) {
		Et = e, e.b?.is_pending && e.f & 16777228 && !(e.f & 32768) ? e.b.defer_effect(e) : this.#a.push(e);
	}
	#b() {
		if (this.linked) {
			var e = this.prev, t = this.next;
			e === null || (e.next = t), t === null ? Ct = e : t.prev = e, this.linked = !1;
		}
	}
};
function Pt(e) {
	var t = Dt, n = wt;
	wt = null, Dt = !0;
	try {
		var r;
		for (e && (Pt(), r = e());;) {
			if (nt(), N === null) return r;
			N.flush();
		}
	} finally {
		Dt = t, wt = n;
	}
}
function Ft() {
	try {
		Fe();
	} catch (e) {
		gn(e, Et);
	}
}
var It = null;
function Lt(e) {
	var t = e.length;
	if (t !== 0) {
		for (var n = 0; n < t;) {
			var r = e[n++];
			if (!(r.f & 24576) && or(r) && (It = /* @__PURE__ */ new Set(), fr(r), r.deps === null && r.first === null && r.nodes === null && r.teardown === null && r.ac === null && Ln(r), It?.size > 0)) {
				Ht.clear();
				for (let e of It) {
					if (e.f & 24576) continue;
					let t = [e], n = e.parent;
					for (; n !== null;) It.has(n) && (It.delete(n), t.push(n)), n = n.parent;
					for (let e = t.length - 1; e >= 0; e--) {
						let n = t[e];
						n.f & 24576 || fr(n);
					}
				}
				It.clear();
			}
		}
		It = null;
	}
}
function Rt(e) {
	N.schedule(e);
}
function zt(e, t) {
	if (!(e.f & 32 && e.f & 1024)) {
		e.f & 2048 ? t.d.push(e) : e.f & 4096 && t.m.push(e), j(e, h);
		for (var n = e.first; n !== null;) zt(n, t), n = n.next;
	}
}
function Bt(e) {
	j(e, h);
	for (var t = e.first; t !== null;) Bt(t), t = t.next;
}
// node_modules/svelte/src/internal/client/reactivity/sources.js
var Vt = /* @__PURE__ */ new Set(), Ht = /* @__PURE__ */ new Map(), Ut = !1;
function Wt(e, t) {
	return {
		f: 0,
		v: e,
		reactions: null,
		equals: Ee,
		rv: 0,
		wv: 0
	};
}
/*#__NO_SIDE_EFFECTS__*/
function P(e, t) {
	let n = Wt(e, t);
	return Xn(n), n;
}
/*#__NO_SIDE_EFFECTS__*/
function Gt(e, t = !1, n = !0) {
	let r = Wt(e);
	return t || (r.equals = Oe), r;
}
function F(e, t, n = !1) {
	return V !== null && (!Kn || V.f & 131072) && Qe() && V.f & 4325394 && (Yn === null || !Yn.has(e)) && ze(), Jt(e, n ? $t(t) : t, At);
}
var Kt = null, qt = 0;
function Jt(e, t, n = null) {
	if (!e.equals(t)) {
		Wn ? Ht.set(e, t) : Ht.has(e) || Ht.set(e, e.v);
		var r = Nt.ensure();
		if (r.capture(e, t), e.f & 2) {
			let t = e;
			e.f & 2048 && yt(t), Tt === null && it(t);
		}
		e.wv = ar(), Kt = null, qt = 0, Qt(e, g, n), Kt = null, Qe() && H !== null && H.f & 1024 && !(H.f & 96) && ($n === null ? er([e]) : $n.push(e)), !r.is_fork && Vt.size > 0 && !Ut && Yt();
	}
	return t;
}
function Yt() {
	Ut = !1;
	for (let e of Vt) {
		e.f & 1024 && j(e, _);
		let t;
		try {
			t = or(e);
		} catch {
			t = !0;
		}
		t && fr(e);
	}
	Vt.clear();
}
function Xt(e, t = 1) {
	var n = U(e), r = t === 1 ? n++ : n--;
	return F(e, n), r;
}
function Zt(e) {
	F(e, e.v + 1);
}
function Qt(e, t, n) {
	var r = e.reactions;
	if (r !== null) {
		var i = Qe(), a = r.length;
		if (qt += a, qt > 1e5 && Kt === null && (Kt = /* @__PURE__ */ new Set()), Kt !== null) {
			if (Kt.has(e)) return;
			Kt.add(e);
		}
		for (var o = 0; o < a; o++) {
			var s = r[o], c = s.f;
			if (i || s !== H) {
				var l = (c & g) === 0;
				if (l && j(s, t), c & 131072) Vt.add(s);
				else if (c & 2) {
					var u = s;
					Tt?.delete(u), Qt(u, _, n);
				} else if (l) {
					var d = s;
					c & 16 && It !== null && It.add(d), n === null ? Rt(d) : n.push(d);
				}
			}
		}
	}
}
function $t(t) {
	if (typeof t != "object" || !t || w in t || ae in t) return t;
	let n = l(t);
	if (n !== s && n !== c) return t;
	var r = /* @__PURE__ */ new Map(), i = e(t), o = /* @__PURE__ */ P(0), u = null, d = rr, f = (e) => {
		if (rr === d) return e();
		var t = V, n = rr;
		qn(null), ir(d);
		var r = e();
		return qn(t), ir(n), r;
	};
	return i && r.set("length", /* @__PURE__ */ P(t.length, u)), new Proxy(t, {
		defineProperty(e, t, n) {
			"value" in n && n.configurable !== !1 && n.enumerable !== !1 && n.writable !== !1 || Le();
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
					let e = f(() => /* @__PURE__ */ P(T, u));
					r.set(t, e), Zt(o);
				}
			} else F(n, T), Zt(o);
			return !0;
		},
		get(e, n, i) {
			if (n === w) return t;
			var o = r.get(n), s = n in e;
			if (o === void 0 && (!s || a(e, n)?.writable) && (o = f(() => /* @__PURE__ */ P($t(s ? e[n] : T), u)), r.set(n, o)), o !== void 0) {
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
			if (t === w) return !0;
			var n = r.get(t), i = n !== void 0 && n.v !== T || Reflect.has(e, t);
			return (n !== void 0 || (H !== null || V !== null) && (!i || a(e, t)?.writable)) && (n === void 0 && (n = f(() => /* @__PURE__ */ P(i ? $t(e[t]) : T, u)), r.set(t, n)), U(n) === T) ? !1 : i;
		},
		set(e, t, n, s) {
			var c = r.get(t), l = t in e;
			if (i && t === "length") for (var d = n; d < c.v; d += 1) {
				var p = r.get(d + "");
				p === void 0 ? d in e && (p = f(() => /* @__PURE__ */ P(T, u)), r.set(d + "", p)) : F(p, T);
			}
			if (c === void 0) (!l || a(e, t)?.writable) && (c = f(() => /* @__PURE__ */ P(void 0, u)), F(c, $t(n)), r.set(t, c));
			else {
				l = c.v !== T;
				var m = f(() => $t(n));
				F(c, m);
			}
			var h = Reflect.getOwnPropertyDescriptor(e, t);
			if (h?.set && h.set.call(s, n), !l) {
				if (i && typeof t == "string") {
					var g = r.get("length"), _ = Number(t);
					Number.isInteger(_) && _ >= g.v && F(g, _ + 1);
				}
				Zt(o);
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
			Re();
		}
	});
}
function en(e) {
	try {
		if (typeof e == "object" && e && w in e) return e[w];
	} catch {}
	return e;
}
function tn(e, t) {
	return Object.is(en(e), en(t));
}
var nn, rn, an, on;
function sn() {
	if (nn === void 0) {
		nn = window, rn = /Firefox/.test(navigator.userAgent);
		var e = Element.prototype, t = Node.prototype, n = Text.prototype;
		an = a(t, "firstChild").get, on = a(t, "nextSibling").get, u(e) && (e[le] = void 0, e[ce] = null, e[ue] = void 0, e.__e = void 0), u(n) && (n[de] = void 0);
	}
}
function cn(e = "") {
	return document.createTextNode(e);
}
/*@__NO_SIDE_EFFECTS__*/
function ln(e) {
	return an.call(e);
}
/*@__NO_SIDE_EFFECTS__*/
function un(e) {
	return on.call(e);
}
function I(e, t) {
	if (!E) return /* @__PURE__ */ ln(e);
	var n = /* @__PURE__ */ ln(D);
	if (n === null) n = D.appendChild(cn());
	else if (t && n.nodeType !== 3) {
		var r = cn();
		return n?.before(r), O(r), r;
	}
	return t && mn(n), O(n), n;
}
function L(e, t = !1) {
	if (!E) {
		var n = /* @__PURE__ */ ln(e);
		return n instanceof Comment && n.data === "" ? /* @__PURE__ */ un(n) : n;
	}
	if (t) {
		if (D?.nodeType !== 3) {
			var r = cn();
			return D?.before(r), O(r), r;
		}
		mn(D);
	}
	return D;
}
function R(e, t = !1) {
	if (!E) return /* @__PURE__ */ ln(e);
	var n = I(e, t);
	return k(e), n;
}
function z(e, t = 1, n = !1) {
	let r = E ? D : e;
	for (var i; t--;) i = r, r = /* @__PURE__ */ un(r);
	if (!E) return r;
	if (n) {
		if (r?.nodeType !== 3) {
			var a = cn();
			return r === null ? i?.after(a) : r.before(a), O(a), a;
		}
		mn(r);
	}
	return O(r), r;
}
function dn(e) {
	e.textContent = "";
}
function fn() {
	return !1;
}
function pn(e, t, n) {
	return t == null || t === "http://www.w3.org/1999/xhtml" ? n ? document.createElement(e, { is: n }) : document.createElement(e) : n ? document.createElementNS(t, e, { is: n }) : document.createElementNS(t, e);
}
function mn(e) {
	if (e.nodeValue.length < 65536) return;
	let t = e.nextSibling;
	for (; t !== null && t.nodeType === 3;) t.remove(), e.nodeValue += t.nodeValue, t = e.nextSibling;
}
function hn(e) {
	var t = H;
	if (t === null) return V.f |= ie, e;
	if (!(t.f & 32768) && !(t.f & 4)) throw e;
	gn(e, t);
}
function gn(e, t) {
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
function _n(e) {
	H === null && (V === null && Pe(e), Ne()), Wn && Me(e);
}
function vn(e, t) {
	var n = t.last;
	n === null ? t.last = t.first = e : (n.next = e, e.prev = n, t.last = e);
}
function yn(e, t) {
	var n = H;
	n !== null && n.f & 8192 && (e |= v);
	var r = {
		ctx: A,
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
	N?.register_created_effect(r);
	var i = r;
	if (e & 4) kt === null ? Nt.ensure().schedule(r) : kt.push(r);
	else if (t !== null) {
		try {
			fr(r);
		} catch (e) {
			throw Fn(r), e;
		}
		i.deps === null && i.teardown === null && i.nodes === null && i.first === i.last && !(i.f & 524288) && (i = i.first, e & 16 && e & 65536 && i !== null && (i.f |= S));
	}
	if (i !== null && (i.parent = n, n !== null && vn(i, n), V !== null && V.f & 2 && !(e & 64))) {
		var a = V;
		(a.effects ??= []).push(i);
	}
	return r;
}
function bn() {
	return V !== null && !Kn;
}
function xn(e) {
	let t = yn(8, null);
	return j(t, h), t.teardown = e, t;
}
function Sn(e) {
	_n("$effect");
	var t = H.f;
	if (!V && t & 32 && A !== null && !A.i) {
		var n = A;
		(n.e ??= []).push(e);
	} else return Cn(e);
}
function Cn(e) {
	return yn(4 | te, e);
}
function wn(e) {
	Nt.ensure();
	let t = yn(64 | ee, e);
	return () => {
		Fn(t);
	};
}
function Tn(e) {
	Nt.ensure();
	let t = yn(64 | ee, e);
	return (e = {}) => new Promise((n) => {
		e.outro ? Rn(t, () => {
			Fn(t), n(void 0);
		}) : (Fn(t), n(void 0));
	});
}
function En(e) {
	return yn(4, e);
}
function Dn(e) {
	return yn(re | ee, e);
}
function On(e, t = 0) {
	return yn(8 | t, e);
}
function B(e, t = [], n = [], r = []) {
	ut(r, t, n, (t) => {
		yn(8, () => {
			e(...t.map(U));
		});
	});
}
function kn(e, t = 0) {
	return yn(16 | t, e);
}
function An(e, t = 0) {
	return yn(m | t, e);
}
function jn(e) {
	return yn(32 | ee, e);
}
function Mn(e) {
	var t = e.teardown;
	if (t !== null) {
		let n = Wn, r = V;
		Gn(!0), qn(null);
		try {
			t.call(null);
		} catch (t) {
			gn(t, e.parent);
		} finally {
			Gn(n), qn(r);
		}
	}
}
function Nn(e, t = !1) {
	var n = e.first;
	for (e.first = e.last = null; n !== null;) {
		let e = n.ac;
		e !== null && ct(() => {
			e.abort(pe);
		});
		var r = n.next;
		n.f & 64 ? n.parent = null : Fn(n, t), n = r;
	}
}
function Pn(e) {
	for (var t = e.first; t !== null;) {
		var n = t.next;
		t.f & 32 || Fn(t), t = n;
	}
}
function Fn(e, t = !0) {
	var n = !1;
	(t || e.f & 262144) && e.nodes !== null && e.nodes.end !== null && (In(e.nodes.start, e.nodes.end), n = !0), e.f |= x, Nn(e, t && !n), dr(e, 0);
	var r = e.nodes && e.nodes.t;
	if (r !== null) for (let e of r) e.stop();
	Mn(e), e.f ^= x, e.f |= y;
	var i = e.parent;
	i !== null && i.first !== null && Ln(e), e.next = e.prev = e.teardown = e.ctx = e.deps = e.fn = e.nodes = e.ac = e.b = null;
}
function In(e, t) {
	for (; e !== null;) {
		var n = e === t ? null : /* @__PURE__ */ un(e);
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
		n && Fn(e), t && t();
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
		e.f ^= v, e.f & 1024 || (j(e, g), Nt.ensure().schedule(e));
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
		var i = n === r ? null : /* @__PURE__ */ un(n);
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
			if (or(a) && bt(a), a.wv > e.wv) return !0;
		}
		t & 512 && Tt === null && j(e, h);
	}
	return !1;
}
function sr(e, t, n = !0) {
	var r = e.reactions;
	if (r !== null && !(Yn !== null && Yn.has(e))) for (var i = 0; i < r.length; i++) {
		var a = r[i];
		a.f & 2 ? sr(a, t, !1) : t === a && (n ? j(a, g) : a.f & 1024 && j(a, _), Rt(a));
	}
}
function cr(e) {
	var t = Zn, n = Qn, r = $n, i = V, a = Yn, o = A, s = Kn, c = rr, l = e.f;
	Zn = null, Qn = 0, $n = null, V = l & 96 ? null : e, Yn = null, Ke(e.ctx), Kn = !1, rr = ++nr, e.ac !== null && (ct(() => {
		e.ac.abort(pe);
	}), e.ac = null);
	try {
		e.f |= ne;
		var u = e.fn, d = u();
		e.f |= b;
		var f = lr(e);
		if (Qe() && $n !== null && !Kn && f !== null && !(e.f & 6146)) for (var p = 0; p < $n.length; p++) sr($n[p], e);
		if (i !== null && i !== e) {
			if (nr++, i.deps !== null) for (let e = 0; e < n; e += 1) i.deps[e].rv = nr;
			if (t !== null) for (let e of t) e.rv = nr;
			$n !== null && (r === null ? r = $n : r.push(...$n));
		}
		return e.f & 8388608 && (e.f ^= ie), d;
	} catch (t) {
		return lr(e), hn(t);
	} finally {
		e.f ^= ne, Zn = t, Qn = n, $n = r, V = i, Yn = a, Ke(o), Kn = s, rr = c;
	}
}
function lr(e) {
	var t = e.deps, n = N?.is_fork;
	if (Zn !== null) {
		var r;
		if (n || dr(e, Qn), t !== null && Qn > 0) for (t.length = Qn + Zn.length, r = 0; r < Zn.length; r++) t[Qn + r] = Zn[r];
		else e.deps = t = Zn;
		if (bn() && e.f & 512) for (r = Qn; r < t.length; r++) (t[r].reactions ??= []).push(e);
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
		s.f & 512 && (s.f ^= 512), s.v !== T && it(s), s.ac !== null && ct(() => {
			s.ac.abort(pe), s.ac = null, j(s, g);
		}), xt(s), dr(s, 0);
	}
}
function dr(e, t) {
	var n = e.deps;
	if (n !== null) for (var r = t; r < n.length; r++) ur(e, n[r]);
}
function fr(e) {
	var t = e.f;
	if (!(t & 16384)) {
		j(e, h);
		var n = H;
		H = e;
		try {
			t & 16777232 ? Pn(e) : Nn(e), Mn(e);
			var r = cr(e);
			e.teardown = typeof r == "function" ? r : null, e.wv = tr;
		} finally {
			H = n;
		}
	}
}
async function pr() {
	await Promise.resolve(), Pt();
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
	if (Wn && Ht.has(e)) return Ht.get(e);
	if (t) {
		var a = e;
		if (Wn) {
			var o = a.v;
			return (!(a.f & 1024) && a.reactions !== null || hr(a)) && (o = yt(a)), Ht.set(a, o), o;
		}
		var s = !(a.f & 512) && !Kn && V !== null && !!(V.f & 512), c = (a.f & b) === 0;
		or(a) && (s && (a.f |= 512), bt(a)), s && !c && (St(a), mr(a));
	}
	if (Tt?.has(e)) return Tt.get(e);
	if (e.f & 8388608) throw e.v;
	return e.v;
}
function mr(e) {
	if (e.f |= 512, e.deps !== null) for (let r of e.deps) {
		var t = r.reactions;
		t === null ? r.reactions = [e] : n.call(t, e) || t.push(e), r.f & 2 && !(r.f & 512) && (St(r), mr(r));
	}
}
function hr(e) {
	if (e.v === T) return !0;
	if (e.deps === null) return !1;
	for (let t of e.deps) if (Ht.has(t) || t.f & 2 && hr(t)) return !0;
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
		if (r.capture || Dr.call(t, e), !e.cancelBubble) return ct(() => n?.call(this, e));
	}
	return e.startsWith("pointer") || e.startsWith("touch") || e === "wheel" ? (i.__removed = !1, tt(() => {
		i.__removed || t.addEventListener(e, i, r);
	})) : t.addEventListener(e, i, r), i;
}
function Cr(e, t, n, r, i) {
	var a = {
		capture: r,
		passive: i
	}, o = Sr(e, t, n, a);
	(t === document.body || t === window || t === document || t instanceof HTMLMediaElement) && xn(() => {
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
	var t = pn("template");
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
		i === void 0 && (i = Ar(a ? e : "<!>" + e), n || (i = /* @__PURE__ */ ln(i)));
		var t = r || rn ? document.importNode(i, !0) : i.cloneNode(!0);
		if (n) {
			var o = /* @__PURE__ */ ln(t), s = t.lastChild;
			jr(o, s);
		} else jr(t, t);
		return t;
	};
}
function Mr(e = "") {
	if (!E) {
		var t = cn(e + "");
		return jr(t, t), t;
	}
	var n = D;
	return n.nodeType === 3 ? mn(n) : (n.before(n = cn()), O(n)), jr(n, n), n;
}
function Nr() {
	if (E) return jr(D, null), D;
	var e = document.createDocumentFragment(), t = document.createComment(""), n = cn();
	return e.append(t, n), jr(t, n), e;
}
function K(e, t) {
	if (E) {
		var n = H;
		n.f & 32768 && n.nodes.end !== null || (n.nodes.end = D), Se();
	} else e !== null && e.before(t);
}
// node_modules/svelte/src/reactivity/create-subscriber.js
function Pr(e) {
	let t = 0, n = Wt(0), r;
	return () => {
		bn() && (U(n), On(() => (t === 0 && (r = gr(() => e(() => Zt(n)))), t += 1, () => {
			tt(() => {
				--t, t === 0 && (r?.(), r = void 0, Zt(n));
			});
		})));
	};
}
// node_modules/svelte/src/internal/client/dom/blocks/boundary.js
var Fr = S | ee;
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
	#m = Pr(() => (this.#p = Wt(this.#l), () => {
		this.#p = null;
	}));
	constructor(e, t, n, r) {
		this.#e = e, this.#n = t, this.#r = (e) => {
			var t = H;
			t.b = this, t.f |= 128, n(e);
		}, this.parent = H.b, this.transform_error = r ?? this.parent?.transform_error ?? ((e) => e), this.#i = kn(() => {
			if (E) {
				let e = Te(this.#t);
				Se();
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
			this.#a = jn(() => this.#r(this.#e));
		} catch (e) {
			this.error(e);
		}
	}
	#g(e) {
		let t = this.#n.failed, { reset: n, invoke_onerror: r } = this.#_(e);
		tt(r), t && (this.#s = jn(() => {
			t(this.#e, () => e, () => n);
		}));
	}
	#_(e) {
		var t = !1, n = !1;
		let r = () => {
			this.#v() || (t ? be() : (t = !0, n && Be(), this.#s !== null && Rn(this.#s, () => {
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
					gn(e, this.#i && this.#i.parent);
				}
			}
		};
	}
	#v() {
		return (this.#i.f & (y | x)) !== 0;
	}
	#y() {
		let e = this.#n.pending;
		e && (this.is_pending = !0, this.#o = jn(() => e(this.#e)), tt(() => {
			if (!this.#v()) {
				var e = this.#c = document.createDocumentFragment(), t = cn(), n = !1;
				e.append(t), this.#a = this.#S(() => {
					try {
						return jn(() => this.#r(t));
					} catch (e) {
						try {
							this.error(e), n = !0;
						} catch (e) {
							gn(e, this.#i.parent);
						}
						return null;
					}
				}), this.#a === null ? (this.#c = null, n && this.#x(N)) : this.#u === 0 && (this.#e.before(e), this.#c = null, Rn(this.#o, () => {
					this.#o = null;
				}), this.#x(N));
			}
		}));
	}
	#b() {
		try {
			if (this.is_pending = this.has_pending_snippet(), this.#u = 0, this.#l = 0, this.#a = jn(() => {
				this.#r(this.#e);
			}), this.#u > 0) {
				var e = this.#c = document.createDocumentFragment();
				Hn(this.#a, e);
				let t = this.#n.pending;
				this.#o = jn(() => t(this.#e));
			} else this.#x(N);
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
		var t = H, n = V, r = A;
		Jn(this.#i), qn(this.#i), Ke(this.#i.ctx);
		try {
			return Nt.ensure(), e();
		} finally {
			Jn(t), qn(n), Ke(r);
		}
	}
	#C(e, t) {
		this.has_pending_snippet() ? (this.#u += e, this.#u === 0 && (this.#x(t), this.#o && Rn(this.#o, () => {
			this.#o = null;
		}), this.#c &&= (this.#e.before(this.#c), null))) : this.parent && this.parent.#C(e, t);
	}
	update_pending_count(e, t) {
		this.#C(e, t), this.#l += e, !this.#p || this.#d || (this.#d = !0, tt(() => {
			this.#d = !1, this.#p && Jt(this.#p, this.#l);
		}));
	}
	get_effect_pending() {
		return this.#m(), U(this.#p);
	}
	error(e) {
		if (e === he || !this.#n.onerror && !this.#n.failed) throw e;
		N?.is_fork ? (this.#a && N.skip_effect(this.#a), this.#o && N.skip_effect(this.#o), this.#s && N.skip_effect(this.#s), N.oncommit(() => {
			this.#v() || this.#w(e);
		})) : this.#w(e);
	}
	#w(e) {
		this.#a &&= (Fn(this.#a), null), this.#o &&= (Fn(this.#o), null), this.#s &&= (Fn(this.#s), null), E && (O(this.#t), Ce(), O(we()));
		let t = this.#n.failed, n = (e) => {
			if (this.#v()) return;
			let { reset: n, invoke_onerror: r } = this.#_(e);
			r(), t && !this.#v() && (this.#s = this.#S(() => {
				try {
					return jn(() => {
						var r = H;
						r.b = this, r.f |= 128, t(this.#e, () => e, () => n);
					});
				} catch (e) {
					return gn(e, this.#i.parent), null;
				}
			}));
		};
		tt(() => {
			if (!this.#v()) {
				var t;
				try {
					t = this.transform_error(e);
				} catch (e) {
					gn(e, this.#i && this.#i.parent);
					return;
				}
				typeof t == "object" && t && typeof t.then == "function" ? t.then(n, (e) => gn(e, this.#i && this.#i.parent)) : n(t);
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
	sn();
	var l = void 0, u = Tn(() => {
		var s = n ?? t.appendChild(cn());
		Ir(s, { pending: () => {} }, (t) => {
			Ye({});
			var n = A;
			if (o && (n.c = o), a && (i.$$events = a), E && jr(t, null), l = e(t, i) || Ze(), E && (H.nodes.end = D, D === null || D.nodeType !== 8 || D.data !== "]")) throw ve(), he;
			Xe();
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
				r && (Fn(r.effect), this.#n.delete(n));
			}
			for (let [e, r] of this.#t) {
				if (e === t || this.#r.has(e)) continue;
				let i = () => {
					if (Array.from(this.#e.values()).includes(e)) {
						var t = document.createDocumentFragment();
						Hn(r, t), t.append(cn()), this.#n.set(e, {
							effect: r,
							fragment: t
						});
					} else Fn(r);
					this.#r.delete(e), this.#t.delete(e);
				};
				this.#i || !n ? (this.#r.add(e), Rn(r, i, !1)) : i();
			}
		}
	};
	#o = (e) => {
		this.#e.delete(e);
		let t = Array.from(this.#e.values());
		for (let [e, n] of this.#n) t.includes(e) || (Fn(n.effect), this.#n.delete(e));
	};
	ensure(e, t) {
		var n = N, r = fn();
		if (t && !this.#t.has(e) && !this.#n.has(e)) {
			if (r) {
				var i = document.createDocumentFragment(), a = cn();
				i.append(a), this.#n.set(e, {
					effect: jn(() => t(a)),
					fragment: i
				});
			} else this.#t.set(e, jn(() => t(this.anchor)));
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
	E && (r = D, Se());
	var i = new Ur(e), a = n ? S : 0;
	function o(e, t) {
		if (E) {
			var n = Te(r);
			if (e !== parseInt(n.substring(1))) {
				var a = we();
				O(a), i.anchor = a, xe(!1), i.ensure(e, t), xe(!0);
				return;
			}
		}
		i.ensure(e, t);
	}
	kn(() => {
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
			dn(d), d.append(u), e.items.clear();
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
		r?.has(a) ? (a.f |= C, Hn(a, document.createDocumentFragment())) : Fn(t[i], n);
	}
}
var qr;
function Y(t, n, i, a, o, s = null) {
	var c = t, l = /* @__PURE__ */ new Map();
	if (n & 4) {
		var u = t;
		c = E ? O(/* @__PURE__ */ ln(u)) : u.appendChild(cn());
	}
	E && Se();
	var d = null, f = /* @__PURE__ */ _t(() => {
		var t = i();
		return e(t) ? t : t == null ? [] : r(t);
	}), p = /* @__PURE__ */ new Map(), m = !0;
	function h(e) {
		if (!(_.effect.f & 16384)) {
			_.pending.delete(e);
			var t = U(f);
			_.fallback = d, Yr(_, t, c, n, a), d !== null && (t.length === 0 ? d.f & 33554432 ? (d.f ^= C, Zr(d, null, c)) : Bn(d) : Rn(d, () => {
				d = null;
			}));
		}
	}
	function g(e) {
		_.pending.delete(e);
	}
	var _ = {
		effect: kn(() => {
			var e = U(f), t = e.length;
			let r = !1;
			E && Te(c) === "[!" != (t === 0) && (c = we(), O(c), xe(!1), r = !0);
			for (var u = /* @__PURE__ */ new Set(), _ = N, v = fn(), y = 0; y < t; y += 1) {
				E && D.nodeType === 8 && D.data === "]" && (c = D, r = !0, xe(!1));
				var b = e[y], x = a(b, y), S = m ? null : l.get(x);
				S ? (S.v && Jt(S.v, b), S.i && Jt(S.i, y), v && _.unskip_effect(S.e)) : (S = Xr(l, m ? c : qr ??= cn(), b, x, y, o, n, i), m || (S.e.f |= C), l.set(x, S)), u.add(x);
			}
			if (t === 0 && s && !d && (m ? d = jn(() => s(c)) : (d = jn(() => s(qr ??= cn())), d.f |= C)), t > u.size && je("", "", ""), E && t > 0 && O(we()), !m) {
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
			if (_.f ^= C, _ === l) Zr(_, null, n);
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
					var S = p[0], ee = p[p.length - 1];
					for (x = 0; x < p.length; x += 1) Zr(p[x], b, n);
					for (x = 0; x < m.length; x += 1) u.delete(m[x]);
					Qr(e, S.prev, ee.next), Qr(e, d, S), Qr(e, ee, b), l = b, d = ee, --v, p = [], m = [];
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
		var te = [];
		if (u !== void 0) for (_ of u) _.f & 8192 || te.push(_);
		for (; l !== null;) !(l.f & 8192) && l !== e.fallback && te.push(l), l = Jr(l.next);
		var ne = te.length;
		if (ne > 0) {
			var re = i & 4 && s === 0 ? n : null;
			if (o) {
				for (v = 0; v < ne; v += 1) te[v].nodes?.a?.measure();
				for (v = 0; v < ne; v += 1) te[v].nodes?.a?.fix();
			}
			Gr(e, te, re);
		}
	}
	o && tt(() => {
		if (f !== void 0) for (_ of f) _.nodes?.a?.apply();
	});
}
function Xr(e, t, n, r, i, a, o, s) {
	var c = o & 1 ? o & 16 ? Wt(n) : /* @__PURE__ */ Gt(n, !1, !1) : null, l = o & 2 ? Wt(i) : null;
	return {
		v: c,
		i: l,
		e: jn(() => (a(t, c ?? n, l ?? i, s), () => {
			e.delete(r);
		}))
	};
}
function Zr(e, t, n) {
	if (e.nodes) for (var r = e.nodes.start, i = e.nodes.end, a = t && !(t.f & 33554432) ? t.nodes.start : n; r !== null;) {
		var o = /* @__PURE__ */ un(r);
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
	kn(() => {
		let e = t() ?? null;
		r.ensure(e, e && ((t) => e(t, ...n)));
	}, S);
}
// node_modules/svelte/src/internal/client/dom/blocks/svelte-component.js
function ei(e, t, n) {
	var r;
	E && (r = D, Se());
	var i = new Ur(e);
	kn(() => {
		var e = t() ?? null;
		if (E && Te(r) === "[" != (e !== null)) {
			var a = we();
			O(a), i.anchor = a, xe(!1), i.ensure(e, e && ((t) => n(t, e))), xe(!0);
		} else i.ensure(e, e && ((t) => n(t, e)));
	}, S);
}
// node_modules/svelte/src/internal/client/dom/elements/attachments.js
function ti(e, t) {
	var n = void 0, r;
	An(() => {
		n !== (n = t()) && (r &&= (Fn(r), null), n && (r = jn(() => {
			En(() => n(e));
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
			li(c, i ? a.includes(l) : tn(l, r));
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
		for (i of t.options) if (tn(mi(i), n)) {
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
	}), xn(() => {
		t.disconnect();
	});
}
function pi(e, t, n = t) {
	var r = /* @__PURE__ */ new WeakSet(), i = !0;
	lt(e, "change", (t) => {
		var i = t ? "[selected]" : ":checked", a;
		if (e.multiple) a = [].map.call(e.querySelectorAll(i), mi);
		else {
			var o = e.querySelector(i) ?? e.querySelector("option:not([disabled])");
			a = o && mi(o);
		}
		n(a), e.__value = a, N !== null && r.add(N);
	}), En(() => {
		var a = t();
		if (e === document.activeElement) {
			var o = N;
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
		e[fe] = n, tt(n), st();
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
	lt(e, "input", async (i) => {
		var a = i ? e.defaultValue : e.value;
		if (a = Ti(e) ? Ei(a) : a, n(a), N !== null && r.add(N), await pr(), a !== (a = t())) {
			var o = e.selectionStart, s = e.selectionEnd, c = e.value.length;
			if (e.value = a ?? "", s !== null) {
				var l = e.value.length;
				o === s && s === c && l > c ? (e.selectionStart = l, e.selectionEnd = l) : (e.selectionStart = o, e.selectionEnd = Math.min(s, l));
			}
		}
	}), (E && e.defaultValue !== e.value || gr(t) == null && e.value) && (n(Ti(e) ? Ei(e.value) : e.value), N !== null && r.add(N)), On(() => {
		var n = t();
		if (e === document.activeElement) {
			var i = N;
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
	return e === t || e?.[w] === t;
}
function Oi(e = Ze(), t, n, r) {
	var i = A.r, a = H;
	return En(() => {
		var o, s;
		return On(() => {
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
	var i = !0, o = !!(n & 8), s = !!(n & 16), c = r, l = !0, u = void 0, d = () => s && i ? (u ??= /* @__PURE__ */ mt(r), U(u)) : (l && (l = !1, c = s ? gr(r) : r), c);
	let f;
	if (o) {
		var p = w in e || oe in e;
		f = a(e, t)?.set ?? (p && t in e ? (n) => e[t] = n : void 0);
	}
	var m, h = !1;
	o ? [m, h] = Ai(() => e[t]) : m = e[t], m === void 0 && r !== void 0 && (m = d(), f && (i && Ie(t), f(m)));
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
	var v = !1, y = (n & 1 ? mt : _t)(() => (v = !1, g()));
	o && U(y);
	var b = H;
	return (function(e, t) {
		if (arguments.length > 0) {
			let n = t ? U(y) : i && o ? $t(e) : e;
			return F(y, n), v = !0, c !== void 0 && (c = n), e;
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
	hasRows;
	bytes;
	columns;
	tops;
	rests;
	origin;
	constructor(e, t, n, r) {
		let [, i, a] = t.weights.shape, o = (t.with_rows ?? t.heads).indexOf(n);
		this.queries = i, this.keys = r, this.hasRows = o >= 0, this.width = this.hasRows ? a : 0, this.scale = t.scale[o] ?? 0, this.origin = o * i, this.bytes = Ri(e, t.weights), this.columns = t.columns ? Ri(e, t.columns) : null, this.tops = t.tops ? Ri(e, t.tops) : null, this.rests = t.rest ? Ri(e, t.rest) : null;
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
		return this.hasRows ? this.rests ? zi[this.rests[this.origin + e]] : 0 : 1;
	}
	row(e) {
		let t = new Float32Array(this.keys);
		return this.entries(e, (e, n) => t[e] = n), t;
	}
}, Vi = class {
	size;
	rows;
	columns;
	scale;
	bytes;
	origin;
	constructor(e, t, n) {
		this.size = t.size, [, this.rows, this.columns] = t.shares.shape, this.scale = t.scale[n], this.origin = n * this.rows * this.columns, this.bytes = Ri(e, t.shares);
	}
	share(e, t) {
		return zi[this.bytes[this.origin + e * this.columns + t]] * this.scale;
	}
};
function Hi(e, t, n, r, i) {
	let a = n.layers.find((e) => e.layer === r);
	return a?.heads.includes(i) ? new Bi(t, a, i, e.sides[n.keys].tokens.length) : null;
}
function Ui(e, t, n, r) {
	let i = t.layers.find((e) => e.layer === n);
	return i?.tiles ? new Vi(e, i.tiles, i.heads.indexOf(r)) : null;
}
// src/core/units.ts
function Wi(e, t, n) {
	let r = e.b_start ?? e.tokens.length, i = [];
	for (let n = 0; n < e.tokens.length; n++) {
		let r = i.at(-1);
		t === "words" && r && e.words.length > 0 && e.words[n] === e.words[n - 1] ? (r.text += e.tokens[n].replace(/^##/, ""), r.end = n + 1) : i.push({
			text: e.tokens[n],
			start: n,
			end: n + 1
		});
	}
	return i.filter((e) => n === "all" || n === "a" == e.start < r);
}
function Gi(e) {
	return e === "all" ? ["all", "all"] : e.split("-");
}
function Ki(e, t) {
	let n = new Int32Array(t).fill(-1);
	return e.forEach((e, t) => n.fill(t, e.start, e.end)), n;
}
var qi = class {
	map;
	queries;
	keys;
	unitOfKey;
	plainKeys;
	constructor(e, t, n) {
		this.map = e, this.queries = t, this.keys = n, this.unitOfKey = Ki(n, e.keys), this.plainKeys = n.length === e.keys;
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
}, Ji = .01, Yi = class {
	scene;
	buffer;
	#e = /* @__PURE__ */ P();
	get selection() {
		return U(this.#e);
	}
	set selection(e) {
		F(this.#e, e, !0);
	}
	#t = /* @__PURE__ */ P(null);
	get hover() {
		return U(this.#t);
	}
	set hover(e) {
		F(this.#t, e, !0);
	}
	#n = /* @__PURE__ */ P(Ji);
	get least() {
		return U(this.#n);
	}
	set least(e) {
		F(this.#n, e, !0);
	}
	#r = /* @__PURE__ */ P("layer");
	get order() {
		return U(this.#r);
	}
	set order(e) {
		F(this.#r, e, !0);
	}
	#i = /* @__PURE__ */ P("");
	get label() {
		return U(this.#i);
	}
	set label(e) {
		F(this.#i, e, !0);
	}
	#a = /* @__PURE__ */ P(null);
	get opened() {
		return U(this.#a);
	}
	set opened(e) {
		F(this.#a, e, !0);
	}
	#o = /* @__PURE__ */ P(!1);
	get dark() {
		return U(this.#o);
	}
	set dark(e) {
		F(this.#o, e, !0);
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
	#s = /* @__PURE__ */ M(() => this.scene.attentions.find((e) => e.attention === this.selection.attention) ?? this.scene.attentions[0]);
	get attention() {
		return U(this.#s);
	}
	set attention(e) {
		F(this.#s, e);
	}
	#c = /* @__PURE__ */ M(() => this.attention.layers.find((e) => e.layer === this.selection.layer) ?? this.attention.layers[0]);
	get layer() {
		return U(this.#c);
	}
	set layer(e) {
		F(this.#c, e);
	}
	#l = /* @__PURE__ */ M(() => {
		let e = this.layer.heads.filter((e) => this.selection.heads.includes(e));
		return e.length > 0 ? e : this.layer.heads;
	});
	get heads() {
		return U(this.#l);
	}
	set heads(e) {
		F(this.#l, e);
	}
	#u = /* @__PURE__ */ M(() => this.scene.sides[this.attention.queries]);
	get querySide() {
		return U(this.#u);
	}
	set querySide(e) {
		F(this.#u, e);
	}
	#d = /* @__PURE__ */ M(() => this.scene.sides[this.attention.keys]);
	get keySide() {
		return U(this.#d);
	}
	set keySide(e) {
		F(this.#d, e);
	}
	#f = /* @__PURE__ */ M(() => this.attention.queries === this.attention.keys && this.querySide.b_start !== null);
	get hasSentences() {
		return U(this.#f);
	}
	set hasSentences(e) {
		F(this.#f, e);
	}
	#p = /* @__PURE__ */ M(() => [this.querySide, this.keySide].some((e) => e.words.some((t, n) => n > 0 && t === e.words[n - 1])));
	get hasWords() {
		return U(this.#p);
	}
	set hasWords(e) {
		F(this.#p, e);
	}
	#m = /* @__PURE__ */ M(() => this.units(this.querySide, 0));
	get queries() {
		return U(this.#m);
	}
	set queries(e) {
		F(this.#m, e);
	}
	#h = /* @__PURE__ */ M(() => this.units(this.keySide, 1));
	get keys() {
		return U(this.#h);
	}
	set keys(e) {
		F(this.#h, e);
	}
	units(e, t) {
		let n = this.hasSentences ? Gi(this.selection.sentences)[t] : "all";
		return Wi(e, this.selection.level, n);
	}
	map(e, t = this.layer.layer) {
		return Hi(this.scene, this.buffer, this.attention, t, e);
	}
	tiles(e, t = this.layer.layer) {
		return Ui(this.buffer, this.attention, t, e);
	}
	hasRows(e, t = this.layer.layer) {
		let { with_rows: n } = this.attention.layers.find((e) => e.layer === t);
		return n?.includes(e) ?? !0;
	}
	unitMap(e, t = this.layer.layer) {
		return new qi(this.map(e, t), this.queries, this.keys);
	}
	links(e, t = this.layer.layer) {
		let { level: n, sentences: r } = this.selection, i = [
			this.attention.attention,
			t,
			e,
			n,
			this.hasSentences ? r : "all"
		].join(" "), a = this.linkCache.get(i);
		return a || (this.linkCache.size > 160 && this.linkCache.clear(), a = this.unitMap(e, t).links(Ji), this.linkCache.set(i, a)), a;
	}
	#g = /* @__PURE__ */ M(() => {
		let e = this.selection.pinned.map(([e, t]) => [e, this.unitAt(e, t)]), t = this.hover ? [...e, this.hover] : e, n = /* @__PURE__ */ new Set();
		return t.filter(([e, t]) => t >= 0 && !n.has(`${e}${t}`) && n.add(`${e}${t}`));
	});
	get active() {
		return U(this.#g);
	}
	set active(e) {
		F(this.#g, e);
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
function Xi(e, t) {
	e.lineCap = "butt";
	for (let n of t) switch (n.type) {
		case "line":
			Zi(e, n);
			break;
		case "box":
			e.globalAlpha = n.alpha, e.fillStyle = n.colour, e.fillRect(n.x, n.y, n.width, n.height);
			break;
		case "words":
			Qi(e, n);
			break;
		case "raster": e.globalAlpha = n.alpha ?? 1, e.imageSmoothingEnabled = !1, e.drawImage(n.source, n.x, n.y, n.width, n.height);
	}
	e.globalAlpha = 1;
}
function Zi(e, { from: t, to: n, bend: r, colour: i, alpha: a, width: o }) {
	e.globalAlpha = a, e.strokeStyle = i, e.lineWidth = o, e.beginPath(), e.moveTo(...t), r ? e.bezierCurveTo(...$i(t, n, r), ...n) : e.lineTo(...n), e.stroke();
}
function Qi(e, t) {
	e.globalAlpha = 1, e.fillStyle = t.colour, e.font = `${t.bold ? "600 " : ""}${t.size}px ${Ni}`, e.textAlign = t.anchor === "middle" ? "center" : t.anchor === "end" ? "right" : "left", e.textBaseline = "middle", e.direction = "ltr", e.save(), e.translate(t.x, t.y), t.turn && e.rotate(t.turn * Math.PI / 180), e.fillText(t.text, 0, 0), e.restore();
}
function $i(e, t, n) {
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
function ea({ width: e, height: t, marks: n }, r) {
	let i = n.map(ta).join("\n");
	return `<svg xmlns="http://www.w3.org/2000/svg" width="${Q(e)}" height="${Q(t)}" viewBox="0 0 ${Q(e)} ${Q(t)}" font-family="${na(Ni)}">
<rect width="100%" height="100%" fill="${r}"/>
${i}
</svg>
`;
}
function ta(e) {
	switch (e.type) {
		case "line": {
			let { from: t, to: n, bend: r } = e, i = r ? `C${$i(t, n, r).map(Q).join(" ")} ${n.map(Q).join(" ")}` : `L${n.map(Q).join(" ")}`;
			return `<path d="M${t.map(Q).join(" ")}${i}" fill="none" stroke="${e.colour}" stroke-opacity="${Q(e.alpha)}" stroke-width="${Q(e.width)}"/>`;
		}
		case "box": return `<rect x="${Q(e.x)}" y="${Q(e.y)}" width="${Q(e.width)}" height="${Q(e.height)}" fill="${e.colour}" fill-opacity="${Q(e.alpha)}"/>`;
		case "words": {
			let t = e.turn ? ` transform="rotate(${e.turn} ${Q(e.x)} ${Q(e.y)})"` : "", n = e.bold ? " font-weight=\"600\"" : "";
			return `<text x="${Q(e.x)}" y="${Q(e.y)}" font-size="${e.size}" fill="${e.colour}" text-anchor="${e.anchor}" dominant-baseline="central"${n}${t}>${na(e.text)}</text>`;
		}
		case "raster": return `<image x="${Q(e.x)}" y="${Q(e.y)}" width="${Q(e.width)}" height="${Q(e.height)}" preserveAspectRatio="none" style="image-rendering:pixelated" href="${e.source.toDataURL("image/png")}"/>`;
	}
}
var Q = (e) => Math.round(e * 1e3) / 1e3;
function na(e) {
	return e.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "�").replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
}
function ra(e, t, n) {
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
function ia(e, t = 28) {
	let n = [...e];
	return n.length > t ? n.slice(0, t - 1).join("") + "…" : e;
}
// src/core/download.ts
function aa(e, t) {
	return new Blob([ea(e, t)], { type: "image/svg+xml" });
}
async function oa(e, t, n) {
	let r = document.createElement("canvas");
	r.width = Math.ceil(e.width * n), r.height = Math.ceil(e.height * n);
	let i = r.getContext("2d");
	i.fillStyle = t, i.fillRect(0, 0, r.width, r.height), i.scale(n, n), Xi(i, e.marks);
	let a = await new Promise((e) => r.toBlob(e, "image/png"));
	if (!a) throw Error("The picture is too large for this scale; choose a smaller one.");
	return a;
}
function sa(e, t) {
	let n = document.createElement("a");
	n.href = URL.createObjectURL(e), n.download = t, n.click(), setTimeout(() => URL.revokeObjectURL(n.href), 1e4);
}
// src/parts/Export.svelte
var ca = /* @__PURE__ */ G("<option> </option>"), la = /* @__PURE__ */ G("<span role=\"alert\"> </span>"), ua = /* @__PURE__ */ G("<div class=\"export svelte-j2sk0e\" role=\"group\" aria-label=\"Save the picture\"><button type=\"button\" class=\"plain\">Save SVG</button> <button type=\"button\" class=\"plain\">Save PNG</button> <label><span class=\"hidden\">PNG scale</span> <select></select></label> <!></div>");
function da(e, t) {
	Ye(t, !0);
	let n = qe("store"), r = /* @__PURE__ */ P(2), i = /* @__PURE__ */ P("");
	function a(e) {
		let { kind: t } = n.selection, r = t === "model" ? "" : `-${n.layer.layer}.${n.heads.length === 1 || t !== "head" ? n.heads[0] : "all"}`;
		return `${n.scene.title.replace(/[^\p{L}\p{N}._-]+/gu, "-").slice(0, 60)}-${t}${r}.${e}`;
	}
	async function o(e) {
		F(i, "");
		let t = n.picture?.();
		if (!t) F(i, "There is no picture to save here.");
		else try {
			sa(e === "svg" ? aa(t, n.colours.page) : await oa(t, n.colours.page, U(r)), a(e));
		} catch (e) {
			F(i, e instanceof Error ? e.message : String(e), !0);
		}
	}
	var s = ua(), c = I(s), l = z(c, 2), u = z(l, 2), d = z(I(u), 2);
	Y(d, 20, () => [
		1,
		2,
		3,
		4
	], (e) => e, (e, t) => {
		var n = ca(), r = R(n), i = {};
		B(() => {
			q(r, `${t ?? ""}×`), i !== (i = t) && (n.value = (n.__value = i) ?? "");
		}), K(e, n);
	}), k(d), fi(d), k(u);
	var f = z(u, 2), p = (e) => {
		var t = la(), n = R(t, !0);
		B(() => q(n, U(i))), K(e, t);
	};
	J(f, (e) => {
		U(i) && e(p);
	}), k(s), W("click", c, () => o("svg")), W("click", l, () => o("png")), pi(d, () => U(r), (e) => F(r, e)), K(e, s), Xe();
}
wr(["click"]);
// src/parts/Toolbar.svelte
var fa = /* @__PURE__ */ G("<button type=\"button\" role=\"tab\" class=\"svelte-cy88mx\"> </button>"), pa = /* @__PURE__ */ G("<option> </option>"), ma = /* @__PURE__ */ G("<label class=\"svelte-cy88mx\">Attention <select></select></label>"), ha = /* @__PURE__ */ G("<div class=\"layer svelte-cy88mx\"><label class=\"svelte-cy88mx\">Layer <select></select></label> <button type=\"button\" class=\"plain\" aria-label=\"Layer before\">‹</button> <button type=\"button\" class=\"plain\" aria-label=\"Layer after\">›</button></div>"), ga = /* @__PURE__ */ G("<label class=\"svelte-cy88mx\">Label <select><option>all heads</option><!></select></label>"), _a = /* @__PURE__ */ G("<label class=\"svelte-cy88mx\">Order <select><option>by layer</option><!></select></label> <!>", 1), va = /* @__PURE__ */ G("<label class=\"svelte-cy88mx\">Sentences <select><option>all</option><option>A → A</option><option>B → B</option><option>A → B</option><option>B → A</option></select></label>"), ya = /* @__PURE__ */ G("<label class=\"svelte-cy88mx\"><input type=\"checkbox\" class=\"svelte-cy88mx\"/> Whole words</label>"), ba = /* @__PURE__ */ G("<button type=\"button\" class=\"plain\"> </button>"), xa = /* @__PURE__ */ G("<label class=\"svelte-cy88mx\"><input type=\"checkbox\" class=\"svelte-cy88mx\"/> Horizontal</label> <label class=\"svelte-cy88mx\"> <input type=\"range\" max=\"0.5\" step=\"0.01\" class=\"svelte-cy88mx\"/></label> <!>", 1), Sa = /* @__PURE__ */ G("<div class=\"bar svelte-cy88mx\"><div class=\"tabs svelte-cy88mx\" role=\"tablist\" aria-label=\"View\"></div> <h1 class=\"svelte-cy88mx\"><bdi> </bdi></h1> <!></div> <div class=\"bar choices svelte-cy88mx\"><!> <!> <!> <!> <!></div>", 1);
function Ca(e, t) {
	Ye(t, !0);
	let n = qe("store"), { scene: r } = n, i = [
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
	}, o = /* @__PURE__ */ M(() => n.attention.layers.map((e) => e.layer)), s = /* @__PURE__ */ M(() => U(o).indexOf(n.layer.layer)), c = /* @__PURE__ */ M(() => n.selection.kind), l;
	function u(e, t) {
		let r = {
			ArrowLeft: -1,
			ArrowRight: 1
		}[e.key], a = r === void 0 ? void 0 : i[t + r];
		a && (e.preventDefault(), n.selection.kind = a.kind, l.querySelectorAll("button")[t + r].focus());
	}
	var d = Sa(), f = L(d), p = I(f);
	Y(p, 23, () => i, (e) => e.kind, (e, t, r) => {
		var i = fa(), a = R(i, !0);
		B(() => {
			Z(i, "aria-selected", U(c) === U(t).kind), Z(i, "tabindex", U(c) === U(t).kind ? 0 : -1), q(a, U(t).text);
		}), W("click", i, () => n.selection.kind = U(t).kind), W("keydown", i, (e) => u(e, U(r))), K(e, i);
	}), k(p), Oi(p, (e) => l = e, () => l);
	var m = z(p, 2), h = R(I(m), !0);
	k(m), da(z(m, 2), {}), k(f);
	var g = z(f, 2), _ = I(g), v = (e) => {
		var t = ma(), i = z(I(t));
		Y(i, 21, () => r.attentions, (e) => e.attention, (e, t) => {
			var n = pa(), r = R(n, !0), i = {};
			B(() => {
				q(r, a[U(t).attention]), i !== (i = U(t).attention) && (n.value = (n.__value = i) ?? "");
			}), K(e, n);
		}), k(i);
		var o;
		fi(i), k(t), B(() => {
			o !== (o = n.attention.attention) && (i.value = (i.__value = o) ?? "", di(i, o));
		}), W("change", i, (e) => n.chooseAttention(e.currentTarget.value)), K(e, t);
	};
	J(_, (e) => {
		r.attentions.length > 1 && e(v);
	});
	var y = z(_, 2), b = (e) => {
		var t = ha(), r = I(t), i = z(I(r));
		Y(i, 20, () => U(o), (e) => e, (e, t) => {
			var n = pa(), r = R(n, !0), i = {};
			B(() => {
				q(r, t), i !== (i = t) && (n.value = (n.__value = i) ?? "");
			}), K(e, n);
		}), k(i);
		var a;
		fi(i), k(r);
		var c = z(r, 2), l = z(c, 2);
		k(t), B(() => {
			a !== (a = n.layer.layer) && (i.value = (i.__value = a) ?? "", di(i, a)), c.disabled = U(s) === 0, l.disabled = U(s) === U(o).length - 1;
		}), W("change", i, (e) => n.selection.layer = Number(e.currentTarget.value)), W("click", c, () => n.stepLayer(-1)), W("click", l, () => n.stepLayer(1)), K(e, t);
	}, x = (e) => {
		var t = _a(), i = L(t), a = z(I(i)), o = I(a);
		o.value = o.__value = "layer", Y(z(o), 17, () => r.statistics, ({ name: e }) => e, (e, t) => {
			let n = () => U(t).name;
			var r = pa(), i = R(r, !0), a = {};
			B(() => {
				q(i, n()), a !== (a = n()) && (r.value = (r.__value = a) ?? "");
			}), K(e, r);
		}), k(a), fi(a), k(i);
		var s = z(i, 2), c = (e) => {
			var t = ga(), i = z(I(t)), a = I(i);
			a.value = a.__value = "", Y(z(a), 17, () => r.labels, ({ name: e, heads: t }) => e, (e, t) => {
				let n = () => U(t).name, r = () => U(t).heads;
				var i = pa(), a = R(i), o = {};
				B(() => {
					q(a, `${n() ?? ""} (${r().length ?? ""})`), o !== (o = n()) && (i.value = (i.__value = o) ?? "");
				}), K(e, i);
			}), k(i), fi(i), k(t), pi(i, () => n.label, (e) => n.label = e), K(e, t);
		};
		J(s, (e) => {
			r.labels.length > 0 && e(c);
		}), pi(a, () => n.order, (e) => n.order = e), K(e, t);
	};
	J(y, (e) => {
		U(c) === "model" ? e(x, -1) : e(b);
	});
	var S = z(y, 2), ee = (e) => {
		var t = va(), r = z(I(t)), i = I(r);
		i.value = i.__value = "all";
		var a = z(i);
		a.value = a.__value = "a-a";
		var o = z(a);
		o.value = o.__value = "b-b";
		var s = z(o);
		s.value = s.__value = "a-b";
		var c = z(s);
		c.value = c.__value = "b-a", k(r), fi(r), k(t), pi(r, () => n.selection.sentences, (e) => n.selection.sentences = e), K(e, t);
	};
	J(S, (e) => {
		n.hasSentences && U(c) !== "neuron" && e(ee);
	});
	var te = z(S, 2), C = (e) => {
		var t = ya(), r = I(t);
		yi(r), Ce(), k(t), B(() => bi(r, n.selection.level === "words")), W("change", r, (e) => n.selection.level = e.currentTarget.checked ? "words" : "pieces"), K(e, t);
	};
	J(te, (e) => {
		n.hasWords && U(c) !== "neuron" && e(C);
	});
	var ne = z(te, 2), re = (e) => {
		var t = xa(), r = L(t), i = I(r);
		yi(i), Ce(), k(r);
		var a = z(r, 2), o = I(a), s = z(o);
		yi(s), k(a);
		var c = z(a, 2), l = (e) => {
			var t = ba(), r = R(t);
			B(() => q(r, `Unpin ${n.selection.pinned.length ?? ""}`)), W("click", t, () => n.unpin()), K(e, t);
		};
		J(c, (e) => {
			n.selection.pinned.length > 0 && e(l);
		}), B((e) => {
			bi(i, n.selection.layout === "rows"), q(o, `Hide below ${e ?? ""} `), Z(s, "min", Ji);
		}, [() => n.least.toFixed(2)]), W("change", i, (e) => n.selection.layout = e.currentTarget.checked ? "rows" : "columns"), wi(s, () => n.least, (e) => n.least = e), K(e, t);
	};
	J(ne, (e) => {
		U(c) === "head" && e(re);
	}), k(g), B(() => q(h, r.title)), K(e, d), Xe();
}
wr([
	"click",
	"keydown",
	"change"
]);
var wa = 46, Ta = 8, Ea = null;
function Da(e) {
	return Ea ??= document.createElement("canvas").getContext("2d"), Ea.font = `14px ${Ni}`, Ea.measureText(e.slice(0, 80)).width;
}
function Oa(e, t, n, r, i = Da) {
	return e === "columns" ? ka(t, n, r, i) : Aa(t, n, r, i);
}
function ka(e, t, n, r) {
	let i = Math.max(56, n * .3 - wa), [a, o] = [e, t].map((e) => Math.min(i, ja(e, r) + 16)), s = a + o + 108, c = Math.min(Math.max(n - s, 90), Math.max(260, Math.min(460, n * .4))), l = Math.max(n, s + c), u = Math.floor((l - s - c) / 2) + Ta + wa;
	return {
		layout: "columns",
		width: l,
		height: Math.max(e.length, t.length) * 24 + 16,
		query: e.map((e, t) => ({
			x: u,
			y: Ta + t * 24,
			width: a,
			height: 24
		})),
		key: t.map((e, t) => ({
			x: u + a + c,
			y: Ta + t * 24,
			width: o,
			height: 24
		}))
	};
}
function Aa(e, t, n, r) {
	let i = (e, t) => {
		let n = Ta;
		return e.map((e) => {
			let i = Math.min(200, Math.max(40, r(e.text) + 14)), a = {
				x: n,
				y: t,
				width: i,
				height: 28
			};
			return n += i, a;
		});
	}, a = i(e, 32), o = i(t, 316), s = Math.max(...[a, o].map((e) => (e.at(-1)?.x ?? 0) + (e.at(-1)?.width ?? 0))) + Ta, c = Math.max(0, (n - s) / 2);
	for (let e of [...a, ...o]) e.x += c;
	return {
		layout: "rows",
		width: Math.max(n, s),
		height: 372,
		query: a,
		key: o
	};
}
function ja(e, t) {
	let n = [...e].sort((e, t) => t.text.length - e.text.length).slice(0, 40);
	return Math.max(24, ...n.map((e) => t(e.text)));
}
function Ma(e, t, n) {
	let r = e[t][n];
	return e.layout === "columns" ? [t === "query" ? r.x + r.width : r.x, r.y + r.height / 2] : [r.x + r.width / 2, t === "query" ? r.y + r.height : r.y];
}
function Na(e, t, n) {
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
var Pa = 3e3;
function Fa(e, t) {
	let n = (e) => t.filter(([t]) => t === e).map(([, e]) => e), r = n("query"), i = n("key");
	return {
		toKeys: r.length ? e.map((e) => Ia(r.map((t) => e.row(t)))) : [],
		fromQueries: i.length ? e.map((e) => Ia(i.map((t) => e.column(t)))) : []
	};
}
function Ia(e) {
	let t = new Float32Array(e[0].length);
	for (let n of e) for (let r = 0; r < t.length; r++) t[r] += n[r] / e.length;
	return t;
}
function La(e, t, n, r, i) {
	let a = new Set(n.filter(([e]) => e === "query").map(([, e]) => e)), o = new Set(n.filter(([e]) => e === "key").map(([, e]) => e)), s = n.length === 0, c = e.layout === "columns" ? "x" : "y", l = s ? Math.min(1.6, .65 + .1 * (t.length - 1)) : .5, u = ({ y: t, height: n }) => e.layout === "rows" || i(t + n / 2), d = [], f = [];
	return t.forEach(({ colour: n, links: i }, p) => {
		let m = (p - (t.length - 1) / 2) * Math.min(3, 15 / t.length), h = (t, n) => {
			let [r, i] = Ma(e, t, n);
			return c === "x" ? [r, i + m] : [r + m, i];
		};
		for (let p = 0; p < e.query.length; p++) {
			let m = u(e.query[p]);
			for (let g = i.rows[p]; g < i.rows[p + 1]; g++) {
				let _ = i.weight[g], v = i.to[g];
				if (_ < r || !(s || a.has(p) || o.has(v))) continue;
				let y = u(e.key[v]);
				if (!m && !y) continue;
				let b = _ ** l;
				if (b < .008) continue;
				let x = {
					type: "line",
					from: h("query", p),
					to: h("key", v),
					bend: c,
					colour: n,
					alpha: b,
					width: .8 + (t.length > 4 ? 1.2 : 2.2) * _
				};
				(m && y ? d : f).push(x);
			}
		}
	}), d.push(...Ra(f, Pa)), d.length < 2e4 ? d.sort((e, t) => e.alpha - t.alpha) : d;
}
function Ra(e, t) {
	if (e.length <= t) return e;
	let n = /* @__PURE__ */ new Uint32Array(257), r = (e) => Math.ceil(e.alpha * 256);
	for (let t of e) n[r(t)]++;
	let i = 256;
	for (let e = 0; i > 0 && e + n[i] <= t; i--) e += n[i];
	let a = e.filter((e) => r(e) > i);
	return a.concat(e.filter((e) => r(e) === i).slice(0, t - a.length));
}
function za(e, t, n, r) {
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
function Ba(e, t, n, r) {
	return ["query", "key"].flatMap((i) => t[i].flatMap((t, a) => {
		let o = e[i][a], s = e.layout === "columns" ? i === "query" ? "end" : "start" : "middle", c = {
			type: "words",
			x: s === "end" ? o.x + o.width - 8 : s === "start" ? o.x + 8 : o.x + o.width / 2,
			y: o.y + o.height / 2,
			text: ia(t.text),
			size: 14,
			colour: r.ink,
			anchor: s
		}, l = n[i]?.[a] ?? 0;
		return l < .005 ? [c] : [c, {
			type: "words",
			...Na(e, i, a),
			text: Va(l),
			size: 12,
			colour: r.quiet
		}];
	}));
}
function Va(e) {
	return e < 5e-4 ? e > 0 ? "<0.001" : "0" : e >= .0995 ? e.toFixed(2) : e.toFixed(3);
}
// src/parts/Surface.svelte
var Ha = /* @__PURE__ */ G("<div class=\"surface svelte-tu9u91\"><div class=\"content svelte-tu9u91\"><canvas aria-hidden=\"true\" class=\"svelte-tu9u91\"></canvas> <!></div></div>");
function Ua(e, t) {
	Ye(t, !0);
	let n = ji(t, "room", 15), r, i, a = /* @__PURE__ */ P({
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
	Sn(() => {
		let e = new ResizeObserver(s);
		return e.observe(r), () => e.disconnect();
	}), Sn(() => {
		let e = Math.round(U(a).width * U(o)), n = Math.round(Math.min(U(a).height, t.height) * U(o));
		i.width !== e && (i.width = e), i.height !== n && (i.height = n);
		let r = i.getContext("2d");
		r.setTransform(1, 0, 0, 1, 0, 0), r.clearRect(0, 0, e, n), r.setTransform(U(o), 0, 0, U(o), -U(a).x * U(o), -U(a).y * U(o)), t.draw(r, U(a));
	});
	var c = Ha(), l = I(c);
	let u;
	var d = I(l);
	let f;
	Oi(d, (e) => i = e, () => i), $r(z(d, 2), () => t.children, () => U(a)), k(l), k(c), Oi(c, (e) => r = e, () => r), B((e) => {
		u = X(l, "", u, {
			width: `${t.width ?? ""}px`,
			height: `${t.height ?? ""}px`
		}), f = X(d, "", f, {
			width: `${U(a).width ?? ""}px`,
			height: e
		});
	}, [() => `${Math.min(U(a).height, t.height)}px`]), Cr("scroll", c, s), K(e, c), Xe();
}
// src/parts/Bipartite.svelte
var Wa = /* @__PURE__ */ G("<span aria-hidden=\"true\"> </span>"), Ga = /* @__PURE__ */ G("<button type=\"button\"><bdi> </bdi></button> <!>", 1), Ka = /* @__PURE__ */ G("<div role=\"group\"></div>"), qa = /* @__PURE__ */ G("<div class=\"bipartite svelte-18nj9xk\"><!></div>");
function Ja(e, t) {
	Ye(t, !0);
	let n = qe("store"), r = /* @__PURE__ */ P(600), i = $t({
		query: 0,
		key: 0
	}), a, o = /* @__PURE__ */ M(() => Oa(n.selection.layout, n.queries, n.keys, U(r))), s = /* @__PURE__ */ M(() => t.heads.map((e) => n.colourOf(e))), c = /* @__PURE__ */ M(() => t.heads.map((e) => ({
		colour: n.colourOf(e),
		links: n.links(e, t.layer)
	}))), l = /* @__PURE__ */ M(() => t.heads.map((e) => n.unitMap(e, t.layer))), u = /* @__PURE__ */ M(() => Fa(U(l), n.active)), f = /* @__PURE__ */ M(() => ({
		query: U(u).fromQueries.length ? Ia(U(u).fromQueries) : null,
		key: U(u).toKeys.length ? Ia(U(u).toKeys) : null
	}));
	function p(e) {
		let t = (t) => t > e.y - 24 && t < e.y + e.height + 24;
		return [
			...za(U(o), "query", U(u).fromQueries, U(s)),
			...za(U(o), "key", U(u).toKeys, U(s)),
			...La(U(o), U(c), n.active, n.least, t)
		];
	}
	function m() {
		let e = {
			x: 0,
			y: 0,
			width: U(o).width,
			height: Math.min(U(o).height, 12e3)
		}, t = Ba(U(o), {
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
		return `${e === "query" ? "from" : "to"} ${r}, token ${n.unitsAt(e)[t].start}${i === void 0 ? "" : `, weight ${Va(i)}`}`;
	}
	var y = { picture: m }, b = qa();
	return Ua(I(b), {
		get width() {
			return U(o).width;
		},
		get height() {
			return U(o).height;
		},
		draw: (e, t) => Xi(e, p(t)),
		get room() {
			return U(r);
		},
		set room(e) {
			F(r, e, !0);
		},
		children: (e, t = d) => {
			var r = Nr();
			Y(L(r), 16, () => ["query", "key"], (e) => e, (e, r) => {
				var a = Ka();
				Y(a, 20, () => h(r, t()), (e) => e, (e, t) => {
					let a = /* @__PURE__ */ M(() => n.unitsAt(r)[t]), s = /* @__PURE__ */ M(() => U(o)[r][t]), c = /* @__PURE__ */ M(() => U(f)[r]?.[t] ?? 0), l = /* @__PURE__ */ M(() => Na(U(o), r, t));
					var u = Nr(), d = L(u), p = (e) => {
						var u = Ga(), d = L(u);
						let f, p;
						var m = R(I(d), !0);
						k(d);
						var h = z(d, 2), g = (e) => {
							var n = Wa();
							let i;
							var a = R(n, !0);
							B((e) => {
								si(n, 1, `weight ${U(l).anchor ?? ""}`, "svelte-18nj9xk"), Z(n, "data-weight-of", r), Z(n, "data-index", t), i = X(n, "", i, {
									left: `${U(l).x ?? ""}px`,
									top: `${U(l).y ?? ""}px`
								}), q(a, e);
							}, [() => Va(U(c))]), K(e, n);
						};
						J(h, (e) => {
							U(c) >= .005 && e(g);
						}), B((e, c) => {
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
				}), k(a), B(() => Z(a, "aria-label", r === "query" ? "Tokens that attend" : "Tokens attended to")), K(e, a);
			}), K(e, r);
		},
		$$slots: { default: !0 }
	}), k(b), Oi(b, (e) => a = e, () => a), K(e, b), Xe(y);
}
wr(["click", "keydown"]);
// src/parts/HeadPicker.svelte
var Ya = /* @__PURE__ */ G("<button type=\"button\"> </button>"), Xa = /* @__PURE__ */ G("<button type=\"button\" class=\"all svelte-1l12xf4\">All heads</button>"), Za = /* @__PURE__ */ G("<div class=\"picker svelte-1l12xf4\" role=\"group\"><!> <!></div>");
function Qa(e, t) {
	Ye(t, !0);
	let n = ji(t, "single", 3, !1), r = qe("store"), i;
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
	var l = Za(), u = I(l);
	Y(u, 18, () => r.layer.heads, (e) => e, (e, t, i) => {
		let o = /* @__PURE__ */ M(() => n() ? r.heads[0] === t : r.heads.includes(t));
		var l = Ya();
		let u, d;
		var f = R(l, !0);
		B((e, i, a) => {
			Z(l, "aria-pressed", U(o)), Z(l, "aria-label", `Head ${r.layer.layer ?? ""}.${t ?? ""}`), Z(l, "title", `Head ${r.layer.layer ?? ""}.${t ?? ""}${e ?? ""}${n() ? "" : ": click to switch, double-click to show alone (key i)"}`), u = si(l, 1, "svelte-1l12xf4", null, u, {
				on: U(o),
				tiles: i
			}), d = X(l, "", d, { "--colour": a }), q(f, t);
		}, [
			() => r.hasRows(t) ? "" : " (tiles only)",
			() => !r.hasRows(t),
			() => r.colourOf(t)
		]), W("click", l, (e) => s(e, t)), W("dblclick", l, () => c(t)), W("keydown", l, (e) => a(e, U(i), t)), K(e, l);
	});
	var d = z(u, 2), f = (e) => {
		var t = Xa();
		B(() => t.disabled = r.heads.length === r.layer.heads.length), W("click", t, () => r.selection.heads = [...r.layer.heads]), K(e, t);
	};
	J(d, (e) => {
		n() || e(f);
	}), k(l), Oi(l, (e) => i = e, () => i), B(() => Z(l, "aria-label", `Heads of layer ${r.layer.layer ?? ""}`)), K(e, l), Xe();
}
wr([
	"click",
	"dblclick",
	"keydown"
]);
// src/parts/Readout.svelte
var $a = /* @__PURE__ */ G("<span class=\"part svelte-a5qbqs\"><i class=\"svelte-a5qbqs\"></i><b class=\"svelte-a5qbqs\"> </b> <bdi> </bdi></span>"), eo = /* @__PURE__ */ G("<strong><bdi> </bdi></strong> <!>", 1), to = /* @__PURE__ */ G("<span class=\"hint svelte-a5qbqs\"> </span>"), no = /* @__PURE__ */ G("<div class=\"readout svelte-a5qbqs\" role=\"status\"><!></div>");
function ro(e, t) {
	Ye(t, !0);
	let n = qe("store"), r = /* @__PURE__ */ M(() => n.hover ?? n.active.at(-1));
	function i(e, t, r, i) {
		let a = n.unitsAt(t), o = [...e.keys()].sort((t, n) => e[n] - e[t]).slice(0, r).filter((t) => e[t] >= .005).map((t) => `${ia(a[t].text, 18)} ${Va(e[t])}`);
		return i >= .005 && o.push(`rest ${Va(i)}`), o.join(" · ") || "nothing";
	}
	let a = /* @__PURE__ */ M(() => {
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
				text: i(Ia(s.map((e) => e.weights)), o, 6, e)
			}];
		}
		return s.map(({ weights: e, rest: r }, a) => ({
			head: `${t.layer}.${t.heads[a]}`,
			colour: n.colourOf(t.heads[a]),
			text: i(e, o, t.heads.length === 1 ? 6 : 3, r)
		}));
	}), o = /* @__PURE__ */ M(() => matchMedia("(hover: hover)").matches ? "Point at a token to see only its links; click to pin it, and more of them. Escape unpins." : "Tap a token to see only its links; tap more to compare.");
	var s = no(), c = I(s), l = (e) => {
		var t = eo(), i = L(t), o = R(I(i), !0);
		k(i);
		var s = z(i);
		Y(z(s), 17, () => U(a), (e) => e.head, (e, t) => {
			var n = $a(), r = I(n);
			let i;
			var a = z(r), o = R(a, !0), s = R(z(a, 2), !0);
			k(n), B(() => {
				i = X(r, "", i, { background: U(t).colour }), q(o, U(t).head), q(s, U(t).text);
			}), K(e, n);
		}), B((e) => {
			q(o, e), q(s, ` ${U(r)[0] === "query" ? "attends to" : "is attended to by"} `);
		}, [() => ia(n.unitsAt(U(r)[0])[U(r)[1]]?.text ?? "", 24)]), K(e, t);
	}, u = (e) => {
		var t = to(), n = R(t, !0);
		B(() => q(n, U(o))), K(e, t);
	};
	J(c, (e) => {
		U(r) ? e(l) : e(u, -1);
	}), k(s), K(e, s), Xe();
}
// src/parts/TilesOnly.svelte
var io = /* @__PURE__ */ G("<p class=\"tiles-only svelte-1cevq1p\"> <button type=\"button\" class=\"plain\">Open in matrix view</button></p>");
function ao(e, t) {
	Ye(t, !0);
	let n = qe("store");
	function r() {
		n.selection.layer = t.layer, n.selection.heads = [t.heads[0]], n.selection.kind = "matrix";
	}
	var i = io(), a = I(i), o = z(a);
	k(i), B(() => q(a, `No links to show: of ${t.heads.length === 1 ? `head ${t.layer}.${t.heads[0]}` : "these heads"} only tiles are kept. `)), W("click", o, r), K(e, i), Xe();
}
wr(["click"]);
// src/views/HeadView.svelte
var oo = /* @__PURE__ */ G("<!> <!>", 1);
function so(e, t) {
	Ye(t, !0);
	let n = qe("store"), r = /* @__PURE__ */ P(void 0);
	Sn(() => {
		n.picture = () => U(r)?.picture() ?? null;
	});
	let i = /* @__PURE__ */ M(() => n.heads.filter((e) => n.hasRows(e)));
	var a = oo(), o = L(a);
	Qa(o, {});
	var s = z(o, 2), c = (e) => {
		var t = oo(), a = L(t);
		Oi(Ja(a, {
			get layer() {
				return n.layer.layer;
			},
			get heads() {
				return U(i);
			}
		}), (e) => F(r, e, !0), () => U(r)), ro(z(a, 2), {
			get layer() {
				return n.layer.layer;
			},
			get heads() {
				return U(i);
			}
		}), K(e, t);
	}, l = (e) => {
		ao(e, {
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
	}), K(e, a), Xe();
}
function co({ width: e, height: t, columns: n, rows: r }) {
	return {
		x: 0,
		y: 0,
		cell: Math.min(48, e / n, t / r)
	};
}
function lo(e, t, n, r, i) {
	let a = Math.max(co(t).cell, Math.min(48, e.cell * n));
	return mo({
		x: e.x + r / e.cell - r / a,
		y: e.y + i / e.cell - i / a,
		cell: a
	}, t);
}
function uo(e, t, n, r) {
	return mo({
		...e,
		x: e.x - n / e.cell,
		y: e.y - r / e.cell
	}, t);
}
function fo(e, t, n, r) {
	let i = (t, n, r) => Math.min(n, Math.max(t, n + 1 - r / e.cell));
	return mo({
		...e,
		x: i(e.x, n, t.width),
		y: i(e.y, r, t.height)
	}, t);
}
function po(e, t, n, r) {
	return mo({
		...e,
		x: n - t.width / e.cell / 2,
		y: r - t.height / e.cell / 2
	}, t);
}
function mo(e, { width: t, height: n, columns: r, rows: i }) {
	let a = (t, n, r) => Math.max(0, Math.min(t, n - r / e.cell));
	return {
		...e,
		x: a(e.x, r, t),
		y: a(e.y, i, n)
	};
}
var ho = 160;
function go(e) {
	return e >= 1 ? 0 : Math.ceil(-Math.log2(e) - 1e-9);
}
function _o(e, t, n, r, i, a, o) {
	let s = 256 << e, c = (e, t) => Math.max(0, Math.min(Math.floor(e / s), Math.floor((t - 1) / s))), l = [];
	for (let e = c(n, o); e <= c(i, o); e++) for (let n = c(t, a); n <= c(r, a); n++) l.push([n, e]);
	return l;
}
function vo(e) {
	let t = Math.max(1, Math.floor(e.queries.length / 512)), n = [];
	for (let r = 0; r < e.queries.length; r += t) {
		let t = 0;
		e.visit(r, (e, n) => t = Math.max(t, n)), n.push(t);
	}
	return n.sort((e, t) => e - t), n[Math.floor((n.length - 1) * .9)] || 1;
}
function yo(e, t) {
	return Math.min(255, Math.round(255 * Math.sqrt(e / t)));
}
function bo(e, t, n, r, i, a, o = !0) {
	let s = /* @__PURE__ */ new Uint8Array(65536), c = 256 << r, [l, u] = [i * c, a * c], d = Math.min(u + c, e.queries.length);
	if (n && l >= d) return s;
	for (let i = u; i < d; i++) {
		let a = (i - u >> r) * 256, d = n ? i + 1 : e.keys.length, f = d - e.map.width, p = o && f > 0 ? yo(e.rest(i) / f, t) : 0;
		if (p > 0) for (let e = 0; e < 256 && l + (e << r) < d; e++) s[a + e] < p && (s[a + e] = p);
		e.visit(i, (e, n) => {
			if (e < l || e >= l + c) return;
			let i = a + (e - l >> r);
			s[i] = Math.max(s[i], yo(n, t));
		});
	}
	return s;
}
var xo = class {
	kept = /* @__PURE__ */ new Map();
	get(e, t) {
		let n = this.kept.get(e) ?? t();
		return this.kept.delete(e), this.kept.set(e, n), this.kept.size > ho && this.kept.delete(this.kept.keys().next().value), n;
	}
	has(e) {
		return this.kept.has(e);
	}
};
// src/draw/coarse.ts
function So(e) {
	let t = Array.from({ length: e.rows }, (t, n) => {
		let r = 0;
		for (let t = 0; t < e.columns; t++) r = Math.max(r, e.share(n, t));
		return r;
	}).sort((e, t) => e - t);
	return t[Math.floor((t.length - 1) * .9)] || 1;
}
function Co(e, t) {
	return To(e, (n, r) => yo(e.share(n, r), t));
}
function wo(e, t, n, r) {
	return To(e, (i, a) => {
		let o = Math.min(e.size, t - a * e.size);
		return yo(e.share(i, a) / (n && i === a ? (o + 1) / 2 : o), r);
	});
}
function To(e, t) {
	let n = new Uint8Array(e.rows * e.columns);
	for (let r = 0; r < e.rows; r++) for (let i = 0; i < e.columns; i++) n[r * e.columns + i] = t(r, i);
	return n;
}
function Eo(e, t) {
	let n = new Uint8Array(t * t), r = Co(e, So(e));
	for (let i = 0; i < e.rows; i++) for (let a = 0; a < e.columns; a++) {
		let o = Math.floor(i * t / e.rows) * t + Math.floor(a * t / e.columns);
		n[o] = Math.max(n[o], r[i * e.columns + a]);
	}
	return n;
}
function Do(e, t) {
	let n = Math.log2(e / Math.max(8, t * 1.5)) / 2;
	return Math.max(0, Math.min(1, n));
}
function Oo(e, t, n, r, i, a, o) {
	let s = Math.max(1, Math.round(1 / o)), c = (e) => Math.max(t, t + (e - r) * o), l = (e) => n + (e - i) * o, u = Math.floor(i / s) * s;
	e.beginPath(), e.moveTo(t, l(u));
	for (let t = u; t < a; t += s) e.lineTo(c(t + s), l(t)), e.lineTo(c(t + s), l(t + s));
	e.lineTo(t, l(Math.ceil(a / s) * s)), e.closePath(), e.clip();
}
// src/draw/ramp.ts
var ko = {
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
}, Ao = {};
function jo(e) {
	let t = e ? "dark" : "light";
	return Ao[t] ??= Mo(ko[t]);
}
function Mo(e) {
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
function No(e, t) {
	let n = Math.max(0, Math.min(255, Math.round(t * 255))) * 4, [r, i, a] = jo(e).slice(n, n + 3);
	return `#${[
		r,
		i,
		a
	].map((e) => e.toString(16).padStart(2, "0")).join("")}`;
}
function Po(e, t, n, r, i = !1) {
	let a = document.createElement("canvas");
	a.width = t, a.height = n;
	let o = new ImageData(t, n), s = new Uint32Array(jo(r).buffer), c = new Uint32Array(o.data.buffer);
	for (let t = 0; t < e.length; t++) (e[t] > 0 || !i) && (c[t] = s[e[t]]);
	return a.getContext("2d").putImageData(o, 0, 0), a;
}
// src/views/MatrixView.svelte
var Fo = /* @__PURE__ */ G(": <strong> </strong>", 1), Io = /* @__PURE__ */ G(" <strong> </strong>", 1), Lo = /* @__PURE__ */ G("<span class=\"hint svelte-292knk\">· most to <bdi> </bdi> </span>"), Ro = /* @__PURE__ */ G("<bdi> </bdi> <bdi> </bdi> <!> <!> <!>", 1), zo = /* @__PURE__ */ G("<span class=\"hint svelte-292knk\">Rows attend, columns are attended to. Wheel or pinch to zoom, drag to move.</span>"), Bo = /* @__PURE__ */ G("<i class=\"svelte-292knk\"></i>"), Vo = /* @__PURE__ */ G("<!> <div class=\"matrix svelte-292knk\"><canvas tabindex=\"0\" role=\"application\" class=\"svelte-292knk\"></canvas></div> <div class=\"readout svelte-292knk\"><span role=\"status\"><!></span> <span class=\"zoom svelte-292knk\" role=\"group\" aria-label=\"Zoom\"><button type=\"button\" class=\"plain\" aria-label=\"Zoom in\">+</button> <button type=\"button\" class=\"plain\" aria-label=\"Zoom out\">−</button> <button type=\"button\" class=\"plain\">Fit</button></span> <span><span class=\"level svelte-292knk\"> </span> <span class=\"ramp svelte-292knk\">0 <!> </span></span></div>", 1);
function Ho(e, t) {
	Ye(t, !0);
	let n = qe("store"), r, i = /* @__PURE__ */ P({
		width: 600,
		height: 400
	}), a = /* @__PURE__ */ P(null), o = /* @__PURE__ */ P(null), s = /* @__PURE__ */ P(0), c = new xo(), l = /* @__PURE__ */ M(() => n.heads[0]), u = /* @__PURE__ */ M(() => n.unitMap(U(l))), d = /* @__PURE__ */ M(() => n.tiles(U(l))), f = /* @__PURE__ */ M(() => vo(U(u))), p = /* @__PURE__ */ M(() => U(d) ? So(U(d)) : 1), m = /* @__PURE__ */ M(() => U(d) && Po(Co(U(d), U(p)), U(d).columns, U(d).rows, n.dark)), h = /* @__PURE__ */ M(() => U(d) && U(u).map.hasRows && Po(wo(U(d), U(u).map.keys, n.attention.causal, U(f)), U(d).columns, U(d).rows, n.dark)), g = /* @__PURE__ */ M(() => U(i).width < 560 ? 76 : 120), _ = /* @__PURE__ */ M(() => U(i).width < 560 ? 70 : 96), v = /* @__PURE__ */ M(() => ({
		width: Math.max(1, U(i).width - U(g) - 8),
		height: Math.max(1, U(i).height - U(_) - 8),
		columns: n.keys.length,
		rows: n.queries.length
	})), y = /* @__PURE__ */ M(() => U(a) ?? co(U(v))), b = /* @__PURE__ */ M(() => U(g) + Math.max(0, (U(v).width - U(v).columns * U(y).cell) / 2)), x = /* @__PURE__ */ M(() => go(U(y).cell)), S = /* @__PURE__ */ M(() => U(d) ? U(u).map.hasRows ? Do(U(d).size * U(y).cell, U(d).size * co(U(v)).cell) : 0 : 1), ee = /* @__PURE__ */ M(() => U(d) !== null && U(S) < .5), te = /* @__PURE__ */ M(() => [
		n.attention.attention,
		n.layer.layer,
		U(l),
		n.selection.level,
		n.selection.sentences,
		n.dark
	].join(" "));
	Sn(() => {
		n.queries, n.keys, F(a, null), F(o, null);
	});
	let C = /* @__PURE__ */ M(() => ({
		right: Math.min(U(v).columns, U(y).x + U(v).width / U(y).cell),
		bottom: Math.min(U(v).rows, U(y).y + U(v).height / U(y).cell)
	}));
	function ne(e) {
		let t = performance.now(), r = [];
		if (U(S) === 0) return r;
		for (let [i, a] of _o(U(x), U(y).x, U(y).y, U(C).right, U(C).bottom, U(v).columns, U(v).rows)) {
			let o = `${U(te)} ${U(x)} ${i} ${a}`;
			if (e && !c.has(o) && performance.now() - t > 14) {
				requestAnimationFrame(() => Xt(s));
				break;
			}
			let l = 256 << U(x), p = c.get(o, () => Po(bo(U(u), U(f), n.attention.causal, U(x), i, a, !U(d)), 256, 256, n.dark, U(d) !== null)), m = l * U(y).cell;
			r.push({
				type: "raster",
				x: U(b) + (i * l - U(y).x) * U(y).cell,
				y: U(_) + (a * l - U(y).y) * U(y).cell,
				width: m,
				height: m,
				source: p,
				alpha: U(S)
			});
		}
		return r;
	}
	function re(e, t) {
		e.imageSmoothingEnabled = !1, U(h) && U(S) > 0 && ie(e, U(h), 1), U(m) && U(S) < 1 && ie(e, U(m), 1 - U(S)), Xi(e, ne(t));
	}
	function ie(e, t, r) {
		let { size: i, columns: a, rows: o } = U(d), { x: s, y: c, cell: l } = U(y), [u, f] = [Math.floor(s / i), Math.floor(c / i)], p = Math.min(a, Math.ceil(U(C).right / i)) - u, m = Math.min(o, Math.ceil(U(C).bottom / i)) - f;
		e.save(), n.attention.causal && Oo(e, U(b), U(_), s, c, U(C).bottom, l), e.globalAlpha = r, e.drawImage(t, u, f, p, m, U(b) + (u * i - s) * l, U(_) + (f * i - c) * l, p * i * l, m * i * l), e.restore();
	}
	let w = /* @__PURE__ */ M(() => {
		if (!U(d) || U(y).cell < co(U(v)).cell * 1.01) return null;
		let e = Math.min(U(g) - 20, U(_) - 14) / Math.max(U(v).columns, U(v).rows);
		return {
			x: 8,
			y: 6,
			width: U(v).columns * e,
			height: U(v).rows * e,
			scale: e
		};
	});
	function ae(e) {
		if (!U(w) || !U(m)) return;
		let { x: t, y: r, width: i, height: a, scale: o } = U(w);
		e.imageSmoothingEnabled = !0, e.drawImage(U(m), t, r, i, a), e.lineWidth = 1, e.strokeStyle = n.colours.edge, e.strokeRect(t - .5, r - .5, i + 1, a + 1), e.lineWidth = 2, e.strokeStyle = n.colours.negative;
		let s = {
			width: Math.max(4, (U(C).right - U(y).x) * o),
			height: Math.max(4, (U(C).bottom - U(y).y) * o)
		};
		e.strokeRect(Math.min(t + U(y).x * o, t + i - s.width), Math.min(r + U(y).y * o, r + a - s.height), s.width, s.height);
	}
	function oe(e) {
		if (!U(w)) return !1;
		let t = r.getBoundingClientRect(), [n, i] = [e.clientX - t.left - U(w).x, e.clientY - t.top - U(w).y];
		return n < 0 || i < 0 || n > U(w).width || i > U(w).height ? !1 : (F(a, po(U(y), U(v), n / U(w).scale, i / U(w).scale)), !0);
	}
	function se() {
		let { cell: e, x: t, y: r } = U(y), { ink: a, quiet: s } = n.colours, c = U(d) !== null && e < 1, l = c ? 2 ** Math.ceil(Math.log2(40 / e)) : Math.max(1, Math.ceil(13 / e)), u = (e, t, n) => c ? t.toLocaleString("en") : ia(e[t].text, n), f = [];
		for (let t = Math.ceil(Math.floor(r) / l) * l; t < U(C).bottom; t += l) {
			let c = U(_) + (t + .5 - r) * e;
			if (c < U(_)) continue;
			let l = U(o)?.row === t ? a : s;
			f.push({
				type: "words",
				x: U(b) - 6,
				y: c,
				text: u(n.queries, t, U(i).width < 560 ? 9 : 15),
				size: 12,
				colour: l,
				anchor: "end"
			});
		}
		for (let r = Math.ceil(Math.floor(t) / l) * l; r < U(C).right; r += l) {
			let c = U(b) + (r + .5 - t) * e;
			if (c < U(b)) continue;
			let l = U(o)?.column === r ? a : s;
			f.push({
				type: "words",
				x: c,
				y: U(_) - 6,
				text: u(n.keys, r, U(i).width < 560 ? 9 : 13),
				size: 12,
				colour: l,
				anchor: "start",
				turn: -90
			});
		}
		return f;
	}
	function ce() {
		let { edge: e, quiet: t } = n.colours, r = U(b) + (U(C).right - U(y).x) * U(y).cell, i = U(_) + (U(C).bottom - U(y).y) * U(y).cell, a = (e, t, n, r, i) => ({
			type: "line",
			from: [e, t],
			to: [n, r],
			colour: i,
			alpha: 1,
			width: 1
		}), o = [
			a(U(b), U(_), r, U(_), e),
			a(U(b), i, r, i, e),
			a(U(b), U(_), U(b), i, e),
			a(r, U(_), r, i, e)
		], s = n.selection.sentences === "all" ? n.queries.findIndex((e) => e.start === n.querySide.b_start) : -1;
		if (!n.hasSentences || s < 0) return o;
		let [c, l] = [U(b) + (s - U(y).x) * U(y).cell, U(_) + (s - U(y).y) * U(y).cell];
		return c > U(b) && c < r && o.push(a(c, U(_), c, i, t)), l > U(_) && l < i && o.push(a(U(b), l, r, l, t)), o;
	}
	Sn(() => {
		U(s);
		let e = Math.min(window.devicePixelRatio || 1, 3);
		r.width = Math.round(U(i).width * e), r.height = Math.round(U(i).height * e);
		let t = r.getContext("2d");
		if (t.scale(e, e), t.save(), t.beginPath(), t.rect(U(b), U(_), (U(C).right - U(y).x) * U(y).cell, (U(C).bottom - U(y).y) * U(y).cell), t.clip(), re(t, !0), U(o)) {
			t.strokeStyle = n.colours.negative, t.lineWidth = 2;
			let e = U(ee) ? U(d).size : 1, r = Math.max(6, e * U(y).cell), i = (t) => (Math.floor(t / e) + .5) * e;
			t.strokeRect(U(b) + (i(U(o).column) - U(y).x) * U(y).cell - r / 2, U(_) + (i(U(o).row) - U(y).y) * U(y).cell - r / 2, r, r);
		}
		t.restore(), Xi(t, [...se(), ...ce()]), ae(t);
	}), Sn(() => {
		let e = new ResizeObserver(() => F(i, {
			width: r.clientWidth,
			height: r.clientHeight
		}));
		return e.observe(r), () => e.disconnect();
	});
	function le() {
		let [e, t] = [U(C).right - U(y).x, U(C).bottom - U(y).y], r = [];
		if (e * t <= 4200 && U(S) === 1) for (let e = Math.floor(U(y).y); e < U(C).bottom; e++) U(u).visit(e, (t, i) => {
			if (t < Math.floor(U(y).x) || t >= U(C).right) return;
			let a = No(n.dark, yo(i, U(f)) / 255);
			r.push({
				type: "box",
				x: U(b) + (t - U(y).x) * U(y).cell,
				y: U(_) + (e - U(y).y) * U(y).cell,
				width: U(y).cell,
				height: U(y).cell,
				colour: a,
				alpha: 1
			});
		});
		else {
			let n = document.createElement("canvas");
			n.width = Math.round(e * U(y).cell * 2), n.height = Math.round(t * U(y).cell * 2);
			let i = n.getContext("2d");
			i.scale(2, 2), i.translate(-U(b), -U(_)), re(i, !1), r.push({
				type: "raster",
				x: U(b),
				y: U(_),
				width: e * U(y).cell,
				height: t * U(y).cell,
				source: n
			});
		}
		return {
			width: U(b) + e * U(y).cell + 8,
			height: U(_) + t * U(y).cell + 8,
			marks: [
				...r,
				...se(),
				...ce()
			]
		};
	}
	Sn(() => {
		n.picture = le;
	});
	function ue(e) {
		let t = r.getBoundingClientRect(), [n, i] = [e.clientX - t.left - U(b), e.clientY - t.top - U(_)];
		return {
			px: n,
			py: i,
			column: Math.floor(U(y).x + n / U(y).cell),
			row: Math.floor(U(y).y + i / U(y).cell)
		};
	}
	function de(e) {
		e.preventDefault();
		let { px: t, py: n } = ue(e);
		F(a, lo(U(y), U(v), Math.exp(-e.deltaY * .0022), t, n));
	}
	Sn(() => (r.addEventListener("wheel", de, { passive: !1 }), () => r.removeEventListener("wheel", de)));
	let fe = /* @__PURE__ */ new Map();
	function pe(e) {
		let t = fe.get(e.pointerId), { row: n, column: r, px: i, py: s } = ue(e);
		if (!t) {
			let e = i >= 0 && s >= 0 && n < U(v).rows && r < U(v).columns;
			F(o, e ? {
				row: n,
				column: r
			} : null);
			return;
		}
		let c = [...fe.values()].filter((t) => t.pointerId !== e.pointerId);
		if (c.length === 1) {
			let n = (e, t) => Math.hypot(e.clientX - t.clientX, e.clientY - t.clientY);
			F(a, lo(U(y), U(v), n(e, c[0]) / Math.max(1, n(t, c[0])), i, s));
		} else F(a, uo(U(y), U(v), e.clientX - t.clientX, e.clientY - t.clientY));
		fe.set(e.pointerId, e);
	}
	function me(e) {
		if (oe(e)) return;
		r.setPointerCapture(e.pointerId), fe.set(e.pointerId, e);
		let { row: t, column: n, px: i, py: a } = ue(e);
		i >= 0 && a >= 0 && t < U(v).rows && n < U(v).columns && F(o, {
			row: t,
			column: n
		});
	}
	let he = (e) => fe.delete(e.pointerId);
	function T(e) {
		let t = U(o) ? [(U(o).column + .5 - U(y).x) * U(y).cell, (U(o).row + .5 - U(y).y) * U(y).cell] : [U(v).width / 2, U(v).height / 2];
		F(a, lo(U(y), U(v), e, t[0], t[1]));
	}
	function ge(e) {
		let t = {
			ArrowLeft: [0, -1],
			ArrowRight: [0, 1],
			ArrowUp: [-1, 0],
			ArrowDown: [1, 0]
		}[e.key];
		if (t) {
			let n = (e.shiftKey ? 10 : 1) * (U(ee) ? U(d).size : 1), r = U(o) ?? {
				row: 0,
				column: 0
			}, i = (e, t) => Math.max(0, Math.min(t - 1, e));
			F(o, {
				row: i(r.row + t[0] * n, U(v).rows),
				column: i(r.column + t[1] * n, U(v).columns)
			}), F(a, fo(U(y), U(v), U(o).column, U(o).row));
		} else if (e.key === "+" || e.key === "=") T(1.5);
		else if (e.key === "-") T(1 / 1.5);
		else if (e.key === "0") F(a, null);
		else if (e.key === "Enter") ve();
		else return;
		e.preventDefault();
	}
	function _e(e) {
		let t = {
			column: 0,
			weight: 0
		};
		return U(u).visit(e, (e, n) => n > t.weight && Object.assign(t, {
			column: e,
			weight: n
		})), t;
	}
	function ve() {
		U(o) && U(u).map.hasRows && (F(o, {
			row: U(o).row,
			column: _e(U(o).row).column
		}), F(a, po(U(y), U(v), U(o).column + .5, U(o).row + .5)));
	}
	let ye = /* @__PURE__ */ M(() => {
		if (!U(o)) return null;
		let { row: e, column: t } = U(o), r = 0;
		U(u).visit(e, (e, n) => e === t && (r = n));
		let i = U(u).rest(e), a = U(u).map.hasRows ? r === 0 && i > 0 ? `among the rest of ${Va(i)}` : Va(r) : "", s = U(d) && U(u).map.hasRows ? _e(e) : null, c = s && s.column !== t ? {
			to: n.keys[s.column],
			weight: Va(s.weight)
		} : null;
		return {
			from: n.queries[e],
			to: n.keys[t],
			told: a,
			tile: U(d) && be(U(d), e, t),
			most: c
		};
	});
	function be(e, t, n) {
		let { size: r } = e, [i, a] = [Math.floor(t / r), Math.floor(n / r)], o = (e, t) => `${(e * r).toLocaleString("en")} to ${(Math.min((e + 1) * r, t) - 1).toLocaleString("en")}`;
		return {
			tokens: `${o(i, U(v).rows)} → ${o(a, U(v).columns)}`,
			share: Va(e.share(i, a))
		};
	}
	let E = /* @__PURE__ */ M(() => {
		if (!U(ee)) return {
			text: U(x) === 0 ? "every token" : `each pixel: strongest of ${2 ** U(x)} × ${2 ** U(x)} tokens`,
			top: `${U(f) < U(u).map.scale * .99 ? "≥ " : ""}${Va(U(f))}`
		};
		let e = U(d).size.toLocaleString("en");
		return {
			text: `each tile: share of attention, ${e} × ${e} tokens${U(u).map.hasRows ? "" : "; no rows of this head are kept"}`,
			top: `${U(p) < U(d).scale * .99 ? "≥ " : ""}${Va(U(p))}`
		};
	});
	var xe = Vo(), D = L(xe);
	Qa(D, { single: !0 });
	var O = z(D, 2), Se = I(O);
	Oi(Se, (e) => r = e, () => r), k(O);
	var Ce = z(O, 2), we = I(Ce), Te = I(we), Ee = (e) => {
		var t = Ro(), n = L(t), r = R(n, !0), i = z(n), a = z(i), o = R(a, !0), s = z(a), c = z(s), l = (e) => {
			var t = Fo(), n = R(z(L(t)), !0);
			B(() => q(n, U(ye).told)), K(e, t);
		};
		J(c, (e) => {
			U(ye).told && e(l);
		});
		var u = z(c, 2), d = (e) => {
			var t = Io(), n = L(t), r = R(z(n), !0);
			B(() => {
				q(n, `· tile ${U(ye).tile.tokens ?? ""}: `), q(r, U(ye).tile.share);
			}), K(e, t);
		};
		J(u, (e) => {
			U(ye).tile && e(d);
		});
		var f = z(u, 2), p = (e) => {
			var t = Lo(), n = z(I(t)), r = R(n, !0), i = z(n);
			k(t), B((e) => {
				q(r, e), q(i, ` (${U(ye).most.to.start ?? ""}): ${U(ye).most.weight ?? ""}, double-click goes there`);
			}, [() => ia(U(ye).most.to.text, 24)]), K(e, t);
		};
		J(f, (e) => {
			U(ye).most && e(p);
		}), B((e, t) => {
			q(r, e), q(i, ` (${U(ye).from.start ?? ""}) → `), q(o, t), q(s, ` (${U(ye).to.start ?? ""})`);
		}, [() => ia(U(ye).from.text, 24), () => ia(U(ye).to.text, 24)]), K(e, t);
	}, De = (e) => {
		K(e, zo());
	};
	J(Te, (e) => {
		U(ye) ? e(Ee) : e(De, -1);
	}), k(we);
	var Oe = z(we, 2), ke = I(Oe), Ae = z(ke, 2), je = z(Ae, 2);
	k(Oe);
	var Me = z(Oe, 2), Ne = I(Me), Pe = R(Ne, !0), Fe = z(Ne, 2), Ie = z(I(Fe));
	Y(Ie, 16, () => ({ length: 24 }), Wr, (e, t, r) => {
		var i = Bo();
		let a;
		B((e) => a = X(i, "", a, { background: e }), [() => No(n.dark, r / 23)]), K(e, i);
	});
	var Le = z(Ie);
	k(Fe), k(Me), k(Ce), B((e) => {
		Z(Se, "aria-label", `Map of head ${n.layer.layer ?? ""}.${U(l) ?? ""}: ${U(v).rows ?? ""} by ${U(v).columns ?? ""} tokens. Arrow keys move, Enter goes to what a token attends to most, plus and minus zoom, 0 shows all.`), Z(Ne, "data-level", U(x)), Z(Ne, "data-near", e), q(Pe, U(E).text), q(Le, ` ${U(E).top ?? ""}`);
	}, [() => U(S).toFixed(2)]), W("pointerdown", Se, me), W("pointermove", Se, pe), W("pointerup", Se, he), Cr("pointercancel", Se, he), Cr("pointerleave", Se, (e) => e.pointerType === "mouse" && fe.size === 0 && F(o, null)), W("keydown", Se, ge), W("dblclick", Se, ve), W("click", ke, () => T(1.6)), W("click", Ae, () => T(1 / 1.6)), W("click", je, () => F(a, null)), K(e, xe), Xe();
}
wr([
	"pointerdown",
	"pointermove",
	"pointerup",
	"keydown",
	"dblclick",
	"click"
]);
// src/core/grid.ts
var Uo = 34, Wo = 4, Go = 14, Ko = 6;
function qo(e, t, n, r, i) {
	let a = t.find((e) => e.name === r), o = (e, t) => `${e}.${t}`, s = (t) => t.filter(([t]) => t === e.attention), c = new Map(s(a?.values ?? []).map(([, e, t, n]) => [o(e, t), n])), l = n.find((e) => e.name === i), u = l && new Set(s(l.heads).map(([, e, t]) => o(e, t))), d = e.layers.flatMap(({ layer: e, heads: t }) => t.map((t) => ({
		layer: e,
		head: t,
		value: c.get(o(e, t)) ?? null
	}))).filter(({ layer: e, head: t }) => !u || u.has(o(e, t)));
	return a ? d.sort((e, t) => (t.value ?? -Infinity) - (e.value ?? -Infinity)) : d;
}
function Jo(e, t, n) {
	let r = t ? Uo : Wo;
	if (t) {
		let t = [...new Set(e.map(({ layer: e }) => e))], i = Math.max(1, ...t.map((t) => e.filter((e) => e.layer === t).length)), a = Math.max(24, Math.min(112, Math.floor((n - r - Wo) / i) - Wo)), o = a >= 44 ? Go : 0, s = (e) => Ko + e * (a + Wo + o), c = /* @__PURE__ */ new Map();
		return {
			cells: e.map((e) => {
				let n = c.get(e.layer) ?? 0;
				return c.set(e.layer, n + 1), {
					...e,
					x: r + n * (a + Wo),
					y: s(t.indexOf(e.layer))
				};
			}),
			size: a,
			perRow: i,
			width: Math.max(n, r + i * (a + Wo)),
			height: s(t.length) + Ko,
			rowTop: s
		};
	}
	let i = n < 500 ? 62 : 78, a = Math.max(1, Math.floor((n - r) / (i + Wo))), o = (e) => Ko + e * (i + Wo + Go);
	return {
		cells: e.map((e, t) => ({
			...e,
			x: r + t % a * (i + Wo),
			y: o(Math.floor(t / a))
		})),
		size: i,
		perRow: a,
		width: n,
		height: o(Math.ceil(e.length / a)) + Ko,
		rowTop: o
	};
}
// src/draw/thumbnail.ts
function Yo(e, t, n, r, i, a, o) {
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
function Xo(e, t, n, r) {
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
var Zo = /* @__PURE__ */ G("<span class=\"label svelte-1q3bs3j\"> </span>"), Qo = /* @__PURE__ */ G("<div class=\"svelte-1q3bs3j\"><dt class=\"svelte-1q3bs3j\"> </dt> <dd class=\"svelte-1q3bs3j\"> </dd></div>"), $o = /* @__PURE__ */ G("<section class=\"detail svelte-1q3bs3j\"><header class=\"svelte-1q3bs3j\"><h2 class=\"svelte-1q3bs3j\"> </h2> <!> <button type=\"button\" class=\"plain\">Open in head view</button> <button type=\"button\" class=\"plain\" aria-label=\"Close the detail\">✕</button></header> <!> <dl class=\"svelte-1q3bs3j\"></dl> <!></section>");
function es(e, t) {
	Ye(t, !0);
	let n = qe("store"), r = /* @__PURE__ */ P(void 0);
	function i() {
		let { width: e, height: i, marks: a } = U(r)?.picture() ?? {
			width: 240,
			height: 0,
			marks: []
		}, o = {
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
			marks: [o, ...ra(a, 0, 28)]
		};
	}
	let a = /* @__PURE__ */ M(() => n.scene.statistics.flatMap(({ name: e, values: r }) => {
		let i = r.find(([e, r, i]) => e === n.attention.attention && r === t.layer && i === t.head);
		return i ? [{
			name: e,
			value: i[3]
		}] : [];
	})), o = /* @__PURE__ */ M(() => n.scene.labels.filter(({ heads: e }) => e.some(([e, r, i]) => e === n.attention.attention && r === t.layer && i === t.head)));
	var s = { picture: i }, c = $o(), l = I(c), u = I(l), d = R(u), f = z(u, 2);
	Y(f, 17, () => U(o), (e) => e.name, (e, t) => {
		var n = Zo(), r = R(n, !0);
		B(() => q(r, U(t).name)), K(e, n);
	});
	var p = z(f, 2), m = z(p, 2);
	k(l);
	var h = z(l, 2), g = (e) => {
		{
			let n = /* @__PURE__ */ M(() => [t.head]);
			Oi(Ja(e, {
				get layer() {
					return t.layer;
				},
				get heads() {
					return U(n);
				}
			}), (e) => F(r, e, !0), () => U(r));
		}
	}, _ = /* @__PURE__ */ M(() => n.hasRows(t.head, t.layer)), v = (e) => {
		{
			let n = /* @__PURE__ */ M(() => [t.head]);
			ao(e, {
				get layer() {
					return t.layer;
				},
				get heads() {
					return U(n);
				}
			});
		}
	};
	J(h, (e) => {
		U(_) ? e(g) : e(v, -1);
	});
	var y = z(h, 2);
	Y(y, 21, () => U(a), ({ name: e, value: t }) => e, (e, t) => {
		let n = () => U(t).name, r = () => U(t).value;
		var i = Qo(), a = I(i), o = R(a, !0), s = R(z(a, 2), !0);
		k(i), B((e) => {
			q(o, n()), q(s, e);
		}, [() => r().toPrecision(2)]), K(e, i);
	}), k(y);
	var b = z(y, 2), x = (e) => {
		{
			let n = /* @__PURE__ */ M(() => [t.head]);
			ro(e, {
				get layer() {
					return t.layer;
				},
				get heads() {
					return U(n);
				}
			});
		}
	}, S = /* @__PURE__ */ M(() => n.hasRows(t.head, t.layer));
	return J(b, (e) => {
		U(S) && e(x);
	}), k(c), B(() => {
		Z(c, "aria-label", `Layer ${t.layer ?? ""}, head ${t.head ?? ""}`), q(d, `Layer ${t.layer ?? ""}, head ${t.head ?? ""}`);
	}), W("click", p, () => {
		n.selection.layer = t.layer, n.selection.heads = [t.head], n.selection.kind = "head";
	}), W("click", m, () => n.opened = null), K(e, c), Xe(s);
}
wr(["click"]);
// src/views/ModelView.svelte
var ts = /* @__PURE__ */ G("<span class=\"layer svelte-1xwjh1o\" aria-hidden=\"true\"> </span>"), ns = /* @__PURE__ */ G("<span class=\"caption svelte-1xwjh1o\" aria-hidden=\"true\"> </span>"), rs = /* @__PURE__ */ G("<button type=\"button\"></button> <!>", 1), is = /* @__PURE__ */ G("<p class=\"none svelte-1xwjh1o\">No head has this label.</p>"), as = /* @__PURE__ */ G("<div role=\"group\" aria-label=\"Heads\"><!> <!> <!></div>"), os = /* @__PURE__ */ G("<div class=\"model svelte-1xwjh1o\"><div class=\"grid svelte-1xwjh1o\"><!></div> <!></div>");
function ss(e, t) {
	Ye(t, !0);
	let n = qe("store"), r = /* @__PURE__ */ P(900), i, a = /* @__PURE__ */ P(0), o = /* @__PURE__ */ P(void 0), s = /* @__PURE__ */ M(() => n.order === "layer" && n.label === ""), c = /* @__PURE__ */ M(() => qo(n.attention, n.scene.statistics, n.scene.labels, n.order, n.label)), l = /* @__PURE__ */ M(() => Jo(U(c), U(s), U(r))), u = /* @__PURE__ */ M(() => U(l).size), d = /* @__PURE__ */ M(() => (n.attention, n.queries, n.keys, n.dark, U(u), /* @__PURE__ */ new Map())), f = /* @__PURE__ */ P(0);
	function p(e) {
		let t = Math.min(window.devicePixelRatio || 1, 2), n = document.createElement("canvas");
		n.width = n.height = Math.round(U(u) * t);
		let r = n.getContext("2d");
		return r.scale(t, t), Xi(r, m(e, 0, 0)), n;
	}
	function m(e, t, r) {
		let i = n.tiles(e.head, e.layer);
		if (i) {
			let e = Math.min(128, Math.max(i.rows, i.columns));
			return [{
				type: "raster",
				x: t,
				y: r,
				width: U(u),
				height: U(u),
				source: Po(Eo(i, e), e, e, n.dark)
			}];
		}
		let a = n.unitMap(e.head, e.layer).links(.04), [o, s] = [n.queries.length, n.keys.length];
		if (Math.max(o, s) <= 96) return Yo(a, o, s, U(u), n.colourOf(e.head), t, r);
		let c = Math.min(128, Math.max(o, s));
		return [{
			type: "raster",
			x: t,
			y: r,
			width: U(u),
			height: U(u),
			source: Po(Xo(a, o, s, c), c, c, n.dark)
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
		r && requestAnimationFrame(() => Xt(f));
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
			marks: [...t, ...ra(r.marks, U(l).width, 0)]
		};
	}
	Sn(() => {
		n.picture = g;
	});
	function _(e) {
		return e.value === null ? `${e.layer}.${e.head}` : `${e.layer}.${e.head} · ${e.value.toPrecision(2)}`;
	}
	function v(e) {
		return n.opened?.[1] === e.layer && n.opened[2] === e.head;
	}
	function y(e, t) {
		F(a, t, !0), n.hover = null, n.selection.pinned = [], n.opened = v(e) ? null : [
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
		n !== void 0 && (e.preventDefault(), F(a, Math.max(0, Math.min(U(l).cells.length - 1, t + n)), !0), i.querySelectorAll("button.head")[U(a)]?.focus());
	}
	var x = os(), S = I(x);
	Ua(I(S), {
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
			F(r, e, !0);
		},
		children: (e) => {
			var t = as(), r = I(t), i = (e) => {
				var t = Nr();
				Y(L(t), 19, () => n.attention.layers, (e) => e.layer, (e, t, n) => {
					var r = ts();
					let i;
					var a = R(r, !0);
					B((e) => {
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
			var o = z(r, 2);
			Y(o, 19, () => U(l).cells, (e) => `${e.layer}.${e.head}`, (e, t, n) => {
				var r = rs(), i = L(r);
				let o, c;
				var l = z(i, 2), d = (e) => {
					var n = ns();
					let r;
					var i = R(n, !0);
					B((e) => {
						r = X(n, "", r, {
							left: `${U(t).x ?? ""}px`,
							top: `${U(t).y + U(u)}px`,
							width: `${U(u) ?? ""}px`
						}), q(i, e);
					}, [() => ia(_(U(t)), 14)]), K(e, n);
				};
				J(l, (e) => {
					(!U(s) || U(u) >= 44) && e(d);
				}), B((e, r, s, l) => {
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
			var c = z(o, 2), d = (e) => {
				K(e, is());
			};
			J(c, (e) => {
				U(l).cells.length === 0 && e(d);
			}), k(t), K(e, t);
		},
		$$slots: { default: !0 }
	}), k(S), Oi(S, (e) => i = e, () => i);
	var ee = z(S, 2), te = (e) => {
		Oi(es(e, {
			get layer() {
				return n.opened[1];
			},
			get head() {
				return n.opened[2];
			}
		}), (e) => F(o, e, !0), () => U(o));
	};
	J(ee, (e) => {
		n.opened && e(te);
	}), k(x), K(e, x), Xe();
}
wr(["click", "keydown"]);
// src/core/vectors.ts
var cs = class {
	scaling;
	query;
	key;
	value;
	constructor(e, t, n) {
		if (!t.vectors) throw Error(`Layer ${t.layer} has no vectors.`);
		this.scaling = t.vectors.scaling, this.query = new ls(e, t.vectors.query, n), this.key = new ls(e, t.vectors.key, n), this.value = new ls(e, t.vectors.value, n);
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
}, ls = class {
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
}, $ = 64, us = 62, ds = 92, fs = 14;
function ps(e, t, n, r) {
	let i = 2 * t + us + ds + 84 + 8, a = Math.max(1, Math.ceil(64 / n)), o = Math.max(a, Math.min(12, Math.floor((e - i) / (2 * n + r)))), s = n * o, c = 8 + t + fs, l = c + t + fs, u = l + s + fs, d = u + s + fs, f = d + us + fs, p = f + ds + fs;
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
function ms(e, t, n, r, i, a, o) {
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
function hs(e, t, n, r) {
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
function gs(e, t, n, r) {
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
function _s(e, t, n, r, i) {
	let a = (e, t, n, r, i, a = !1, o = 14) => ({
		type: "words",
		x: e,
		y: t,
		text: ia(n, 16),
		size: o,
		colour: r,
		anchor: i,
		bold: a
	}), o = vs(e).map(({ x: e, text: t }) => a(e, 12, t, i.quiet, "start", !1, 12));
	return o.push(a(e.key - 8, 40, "query", i.quiet, "end", !1, 12)), t.forEach((t, n) => o.push(a(e.from + e.names - 8, $ + (n + .5) * 24, t, i.ink, "end", n === r))), n.forEach((t, n) => {
		let r = $ + (n + .5) * 24;
		o.push(a(e.to + 8, r, t.text, t.masked ? i.quiet : i.ink, "start")), t.masked || (o.push(a(e.dot + us - 8, r, t.dot.toFixed(2), i.ink, "end", !1, 12)), o.push(a(e.softmax + ds, r, Va(t.weight), i.ink, "end", !1, 12)));
	}), o;
}
function vs(e) {
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
var ys = /* @__PURE__ */ G("<button type=\"button\" role=\"radio\" class=\"name from svelte-72alqy\"><bdi> </bdi></button>"), bs = /* @__PURE__ */ G("<span role=\"cell\" class=\"number dot svelte-72alqy\"> </span> <span role=\"cell\" class=\"number softmax svelte-72alqy\"> </span>", 1), xs = /* @__PURE__ */ G("<div role=\"row\"><span role=\"rowheader\" class=\"name to svelte-72alqy\"><bdi> </bdi></span> <!></div>"), Ss = /* @__PURE__ */ G("<span class=\"title svelte-72alqy\"> </span>"), Cs = /* @__PURE__ */ G("<div class=\"area svelte-72alqy\" role=\"presentation\"><div role=\"radiogroup\" aria-label=\"Token that attends\"></div> <div role=\"table\"></div> <div class=\"header svelte-72alqy\"><canvas aria-hidden=\"true\"></canvas> <!> <span class=\"side svelte-72alqy\">query of <bdi> </bdi></span> <span class=\"side svelte-72alqy\">output</span></div></div>"), ws = /* @__PURE__ */ G(" <bdi> </bdi> → <bdi> </bdi> <!>", 1), Ts = /* @__PURE__ */ G("<span class=\"hint svelte-72alqy\"><i class=\"plus svelte-72alqy\"></i> above zero <i class=\"minus svelte-72alqy\"></i> </span>"), Es = /* @__PURE__ */ G("<!> <div class=\"readout svelte-72alqy\" role=\"status\"><!></div>", 1), Ds = /* @__PURE__ */ G("<p class=\"none svelte-72alqy\"> </p>"), Os = /* @__PURE__ */ G("<!> <!>", 1);
function ks(e, t) {
	Ye(t, !0);
	let n = qe("store"), r = /* @__PURE__ */ P(900), i = /* @__PURE__ */ P(null), a = /* @__PURE__ */ P(null), o = /* @__PURE__ */ P(void 0), s = /* @__PURE__ */ M(() => n.heads[0]), c = /* @__PURE__ */ M(() => n.layer.heads.indexOf(U(s))), l = /* @__PURE__ */ M(() => n.layer.vectors ? new cs(n.buffer, n.layer, U(c)) : null), u = /* @__PURE__ */ M(() => Wi(n.querySide, "pieces", "all")), f = /* @__PURE__ */ M(() => Wi(n.keySide, "pieces", "all")), p = /* @__PURE__ */ M(() => n.selection.pinned.find(([e]) => e === "query")?.[1] ?? Math.min(1, U(u).length - 1)), m = /* @__PURE__ */ M(() => U(a) ?? U(p)), h = /* @__PURE__ */ M(() => n.map(U(s)).row(U(m))), g = /* @__PURE__ */ M(() => U(f).map(({ text: e }, t) => ({
		text: e,
		dot: U(l)?.dot(U(m), t) ?? 0,
		weight: U(h)[t],
		masked: n.attention.causal && t > U(m)
	}))), _ = /* @__PURE__ */ M(() => Math.min(U(r) < 700 ? 84 : 150, Math.max(60, ...[...U(u), ...U(f)].slice(0, 400).map(({ text: e }) => Da(e.slice(0, 24)) + 18)))), v = /* @__PURE__ */ M(() => ps(U(r), U(_), U(l)?.query.dim ?? 1, U(l)?.value.dim ?? 1)), y = /* @__PURE__ */ M(() => $ + Math.max(U(u).length, U(f).length) * 24 + 8), b = /* @__PURE__ */ M(() => U(l) ? U(l).query.typical * U(l).key.typical : 1);
	function x() {
		if (!U(l)) return [];
		let e = U(l).output(U(h));
		return [
			hs(U(v).key, 30, U(v).dim * U(v).cell, n.colours),
			...ms(U(v).key, 30, U(v).cell, U(v).dim, U(l).query.typical, n.colours, (e) => U(l).query.at(U(m), e)),
			hs(U(v).value, 30, U(v).valueDim * U(v).cell, n.colours),
			...ms(U(v).value, 30, U(v).cell, U(v).valueDim, U(l).value.typical, n.colours, (t) => e[t])
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
			}, hs(U(v).key, e, U(v).dim * U(v).cell, n.colours), ...ms(U(v).key, e, U(v).cell, U(v).dim, U(l).key.typical, n.colours, (e) => U(l).key.at(i, e)), hs(U(v).product, e, U(v).dim * U(v).cell, n.colours), ...ms(U(v).product, e, U(v).cell, U(v).dim, U(b), n.colours, t), gs(U(v).softmax, e, U(g)[i].weight, n.colourOf(U(s))), hs(U(v).value, e, U(v).valueDim * U(v).cell, n.colours), ...ms(U(v).value, e, U(v).cell, U(v).valueDim, U(l).value.typical, n.colours, (e) => U(l).value.at(i, e)));
		}
		return r;
	}
	function ee(e) {
		return [Math.max(0, Math.floor((e.y - $) / 24) - 2), Math.min(U(f).length, Math.ceil((e.y + e.height - $) / 24) + 2)];
	}
	function te(e, t) {
		if (Xi(e, S(...ee(t))), U(i) !== null) {
			e.strokeStyle = n.colours.ink, e.lineWidth = 1;
			for (let t of [
				U(v).key,
				U(v).product,
				...U(i) < U(v).valueDim ? [U(v).value] : []
			]) e.strokeRect(t + U(i) * U(v).cell - .5, $, U(v).cell + 1, U(f).length * 24);
		}
	}
	function C(e) {
		Sn(() => {
			let t = Math.min(window.devicePixelRatio || 1, 3);
			e.width = Math.round(U(v).width * t), e.height = Math.round($ * t);
			let n = e.getContext("2d");
			n.scale(t, t), Xi(n, x());
		});
	}
	function ne() {
		let e = Math.min(U(f).length, 400);
		return {
			width: U(v).width,
			height: $ + Math.max(Math.min(U(u).length, 400), e) * 24 + 8,
			marks: [
				...x(),
				...S(0, e),
				..._s(U(v), U(u).slice(0, 400).map((e) => e.text), U(g).slice(0, e), U(m), n.colours)
			]
		};
	}
	Sn(() => {
		n.picture = ne;
	});
	let re = /* @__PURE__ */ P(null);
	function ie(e, t) {
		let n = e.currentTarget.getBoundingClientRect(), [r, a] = [e.clientX - n.left, e.clientY - n.top], o = [
			U(v).value,
			U(v).product,
			U(v).key
		].find((e, t) => r >= e && r < e + (t === 0 ? U(v).valueDim : U(v).dim) * U(v).cell);
		F(i, o === void 0 ? null : Math.floor((r - o) / U(v).cell), !0);
		let s = Math.floor((a - $) / 24);
		F(re, a - t.y > $ && s >= 0 && s < U(f).length && !U(g)[s].masked ? s : null, !0);
	}
	function w(e) {
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
		w(r), U(o)?.querySelector(`[data-index="${r}"]`)?.focus();
	}
	let oe = (e, t = 3) => e.toFixed(t).replace(/^-(0\.?0*)$/, "$1").replace("-", "−");
	var se = Os(), ce = L(se);
	Qa(ce, { single: !0 });
	var le = z(ce, 2), ue = (e) => {
		var t = Es(), c = L(t);
		{
			let e = (e, t = d) => {
				var c = Cs(), l = I(c);
				Y(l, 21, () => U(u), Wr, (e, n, r) => {
					var i = Nr(), o = L(i), s = (e) => {
						var t = ys();
						Z(t, "data-index", r);
						let i;
						var o = R(I(t), !0);
						k(t), B(() => {
							Z(t, "aria-checked", U(p) === r), Z(t, "tabindex", U(p) === r ? 0 : -1), i = X(t, "", i, {
								left: `${U(v).from ?? ""}px`,
								top: `${$ + r * 24}px`,
								width: `${U(v).names ?? ""}px`
							}), q(o, U(n).text);
						}), W("click", t, () => w(r)), Cr("pointerenter", t, (e) => e.pointerType === "mouse" && F(a, r, !0)), Cr("pointerleave", t, () => F(a, null)), W("keydown", t, (e) => ae(e, r)), K(e, t);
					};
					J(o, (e) => {
						(r + 3) * 24 > t().y - $ && r * 24 < t().y + t().height && e(s);
					}), K(e, i);
				}), k(l), Oi(l, (e) => F(o, e), () => U(o));
				var f = z(l, 2);
				Y(f, 21, () => U(g), Wr, (e, n, r) => {
					var i = Nr(), a = L(i), o = (e) => {
						var t = xs();
						Z(t, "data-key", r);
						let i;
						var a = I(t);
						let o;
						var s = R(I(a), !0);
						k(a);
						var c = z(a, 2), l = (e) => {
							var t = bs(), i = L(t);
							let a;
							var o = R(i, !0), s = z(i, 2);
							let c;
							var l = R(s, !0);
							B((e, t) => {
								a = X(i, "", a, {
									left: `${U(v).dot ?? ""}px`,
									top: `${$ + r * 24}px`
								}), q(o, e), c = X(s, "", c, {
									left: `${U(v).softmax ?? ""}px`,
									top: `${$ + r * 24}px`
								}), q(l, t);
							}, [() => oe(U(n).dot, 2), () => Va(U(n).weight)]), K(e, t);
						};
						J(c, (e) => {
							U(n).masked || e(l);
						}), k(t), B(() => {
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
				}), k(f);
				var h = z(f, 2);
				let _;
				var y = I(h);
				let b;
				ti(y, () => C);
				var x = z(y, 2);
				Y(x, 17, () => vs(U(v)), ({ x: e, text: t }) => t, (e, t) => {
					let n = () => U(t).x, r = () => U(t).text;
					var i = Ss();
					let a;
					var o = R(i, !0);
					B(() => {
						a = X(i, "", a, { left: `${n() ?? ""}px` }), q(o, r());
					}), K(e, i);
				});
				var S = z(x, 2);
				let ee;
				var te = R(z(I(S)), !0);
				k(S);
				var ne = z(S, 2);
				let se;
				k(h), k(c), B((e, r, i, a) => {
					Z(f, "aria-label", `Query against keys, head ${n.layer.layer ?? ""}.${U(s) ?? ""}`), _ = X(h, "", _, {
						top: `${t().y ?? ""}px`,
						width: e,
						height: `${$ ?? ""}px`
					}), b = X(y, "", b, {
						width: `${U(v).width ?? ""}px`,
						height: `${$ ?? ""}px`
					}), ee = X(S, "", ee, { right: r }), q(te, i), se = X(ne, "", se, { right: a });
				}, [
					() => `${Math.max(U(r), U(v).width)}px`,
					() => `${Math.max(U(r), U(v).width) - U(v).key + 8}px`,
					() => U(u)[U(m)].text.slice(0, 12),
					() => `${Math.max(U(r), U(v).width) - U(v).value + 8}px`
				]), W("pointermove", c, (e) => ie(e, t())), Cr("pointerleave", c, () => (F(i, null), F(re, null))), K(e, c);
			}, t = /* @__PURE__ */ M(() => Math.max(U(r), U(v).width));
			Ua(c, {
				get width() {
					return U(t);
				},
				get height() {
					return U(y);
				},
				draw: te,
				get room() {
					return U(r);
				},
				set room(e) {
					F(r, e, !0);
				},
				children: e,
				$$slots: { default: !0 }
			});
		}
		var h = z(c, 2), _ = I(h), b = (e) => {
			var t = ws(), n = L(t), r = z(n), a = R(r, !0), o = z(r, 2), s = R(o, !0), c = z(o), d = z(c), p = (e) => {
				var t = Mr();
				B((e) => q(t, `; value ${e ?? ""}`), [() => oe(U(l).value.at(U(re), U(i)))]), K(e, t);
			};
			J(d, (e) => {
				U(i) < U(v).valueDim && e(p);
			}), B((e, t, r, o, l) => {
				q(n, `Dimension ${U(i) ?? ""}, `), q(a, e), q(s, t), q(c, `: query ${r ?? ""}
      × key ${o ?? ""} = ${l ?? ""}`);
			}, [
				() => U(u)[U(m)].text.slice(0, 24),
				() => U(f)[U(re)].text.slice(0, 24),
				() => oe(U(l).query.at(U(m), U(i))),
				() => oe(U(l).key.at(U(re), U(i))),
				() => oe(U(l).query.at(U(m), U(i)) * U(l).key.at(U(re), U(i)))
			]), K(e, t);
		}, x = (e) => {
			var t = Ts(), n = z(I(t), 3);
			k(t), B((e) => q(n, ` below zero. q·k is scaled by ${e ?? ""}; the output is the sum of the values, each times its softmax. Point at a
        cell for its numbers.`), [() => U(l).scaling.toPrecision(3)]), K(e, t);
		};
		J(_, (e) => {
			U(i) !== null && U(re) !== null && U(i) < U(v).dim ? e(b) : e(x, -1);
		}), k(h), K(e, t);
	}, de = (e) => {
		var t = Ds(), r = R(t);
		B((e) => q(r, `There are no query, key and value vectors of layer ${n.layer.layer ?? ""} in this view. Layers that have them:
    ${e ?? ""}.`), [() => n.attention.layers.filter((e) => e.vectors).map((e) => e.layer).join(", ") || "none; open the view from a model and a text"]), K(e, t);
	};
	J(le, (e) => {
		U(l) ? e(ue) : e(de, -1);
	}), K(e, se), Xe();
}
wr([
	"pointermove",
	"click",
	"keydown"
]);
// src/App.svelte
var As = /* @__PURE__ */ G("<p class=\"note svelte-1n46o8q\" role=\"note\"> </p>"), js = /* @__PURE__ */ G("<div role=\"region\"><!> <!> <!></div>");
function Ms(e, t) {
	Ye(t, !0);
	let n = ji(t, "store", 7);
	Je("store", n()), Sn(() => Fi(() => n().dark = Pi(n().scene.theme)));
	let r = {
		head: so,
		model: ss,
		neuron: ks,
		matrix: Ho
	}, i = /* @__PURE__ */ M(() => r[n().selection.kind]);
	function a(e) {
		e.target instanceof HTMLSelectElement || e.target instanceof HTMLInputElement || (e.key === "Escape" ? (n().unpin(), n().hover = null) : e.key === "[" ? n().stepLayer(-1) : e.key === "]" && n().stepLayer(1));
	}
	function o(e) {
		Sn(() => {
			for (let [t, r] of Object.entries(n().colours)) e.style.setProperty(`--${t}`, r);
			e.style.setProperty("--font", Ni), e.style.setProperty("color-scheme", n().dark ? "dark" : "light");
		});
	}
	var s = js();
	let c;
	var l = I(s);
	Ca(l, {});
	var u = z(l, 2);
	ei(u, () => U(i), (e, t) => {
		t(e, {});
	}), Y(z(u, 2), 16, () => n().scene.notes, (e) => e, (e, t) => {
		var n = As(), r = R(n, !0);
		B(() => q(r, t)), K(e, n);
	}), k(s), ti(s, () => o), B(() => {
		c = si(s, 1, "attlas svelte-1n46o8q", null, c, { fill: t.fill }), Z(s, "data-theme", n().dark ? "dark" : "light"), Z(s, "aria-label", `Attention of ${n().scene.title ?? ""}`);
	}), W("keydown", s, a), K(e, s), Xe();
}
wr(["keydown"]);
// src/core/contract.ts
var Ns = "attlas.view/1", Ps = {
	u8: 1,
	u16: 2,
	u32: 4,
	i16: 2
};
function Fs(e, t) {
	if (e.schema !== "attlas.view/1") throw Error(`This view reads ${Ns}, and the data is ${String(e.schema)}: make it again with the same Attlas.`);
	if (t !== e.bytes) throw Error(`The data of this view is cut off: ${t} bytes of ${e.bytes}. Save the page again.`);
	for (let t of e.attentions) {
		let n = e.sides[t.queries]?.tokens.length, r = e.sides[t.keys]?.tokens.length;
		for (let i of t.layers) {
			let { shape: a } = i.weights, o = (i.with_rows ?? i.heads).length;
			if (a[0] !== o || a[1] !== n || !i.columns && a[2] !== r || !Is(i, n, r ?? 0)) throw Error(`Layer ${i.layer} of ${t.attention} attention does not fit its tokens.`);
			for (let n of Ls(i)) if (n.at + Rs(n) > e.bytes) throw Error(`Layer ${i.layer} of ${t.attention} attention lies outside the data.`);
		}
	}
}
function Is({ tiles: e, heads: t }, n, r) {
	if (!e) return !0;
	let [i, a, o] = e.shares.shape;
	return i === t.length && a === Math.ceil(n / e.size) && o === Math.ceil(r / e.size);
}
function Ls(e) {
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
		...t
	].filter((e) => e !== void 0);
}
function Rs(e) {
	return e.shape.reduce((e, t) => e * t, Ps[e.type]);
}
// src/core/traits.svelte.ts
var zs = (e, t) => JSON.stringify(e) === JSON.stringify(t);
function Bs(e, t) {
	let n = Object.keys(e.selection), r = n.map((n) => {
		let r = () => {
			let r = t.get(n);
			zs(r, He(e.selection[n])) || Object.assign(e.selection, { [n]: r });
		};
		return t.on(`change:${n}`, r), () => t.off(`change:${n}`, r);
	}), i = wn(() => {
		Sn(() => {
			let r = !1;
			for (let i of n) {
				let n = He(e.selection[i]);
				zs(n, t.get(i)) || (t.set(i, n), r = !0);
			}
			r && t.save_changes();
		});
	});
	return () => {
		i(), r.forEach((e) => e());
	};
}
// src/main.ts
async function Vs(e, t, n, r = !1) {
	try {
		let i = await Li(n);
		Fs(t, i.byteLength);
		let a = new Yi(t, i, Pi(t.theme)), o = Rr(Ms, {
			target: e,
			props: {
				store: a,
				fill: r
			}
		});
		return Pt(), {
			store: a,
			destroy: () => void Hr(o)
		};
	} catch (t) {
		let n = document.createElement("p");
		throw n.setAttribute("role", "alert"), n.textContent = t instanceof Error ? t.message : String(t), e.replaceChildren(n), t;
	}
}
function Hs(e) {
	return new Uint8Array(e.buffer, e.byteOffset, e.byteLength);
}
async function Us({ model: e, el: t }) {
	let n = structuredClone(e.get("scene"));
	for (let t of Object.keys(n.selection)) Object.assign(n.selection, { [t]: e.get(t) });
	let { store: r, destroy: i } = await Vs(t, n, Hs(e.get("data"))), a = Bs(r, e);
	return () => {
		a(), i();
	};
}
var Ws = { render: Us }, Gs = document.querySelector("script[data-attlas=\"scene\"]");
if (Gs?.textContent) {
	let e = document.querySelector("script[data-attlas=\"data\"]").textContent;
	Vs(document.getElementById("attlas"), JSON.parse(Gs.textContent), Ii(e), !0).then(() => performance.mark("attlas-drawn"));
}
export { Ws as default, Vs as mount };
