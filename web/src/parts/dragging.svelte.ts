/** A drag from one token to another asks which heads link them. */

import type { End, Pin } from "../core/contract";
import type { Store } from "../core/store.svelte";

/** Pixels that a pointer may move and still only click. */
const SLACK = 8;

export interface Dragged {
  from: [number, number];
  to: [number, number];
}

/** The line of a drag, on a canvas that shows this part of what is in this box. */
export function paintDrag(context: CanvasRenderingContext2D, line: Dragged, box: DOMRect, seen: { x: number; y: number }, colour: string): void {
  const at = ([x, y]: [number, number]): [number, number] => [x - box.left + seen.x, y - box.top + seen.y];
  context.strokeStyle = colour;
  context.lineWidth = 2;
  context.setLineDash([5, 4]);
  context.beginPath();
  context.moveTo(...at(line.from));
  context.lineTo(...at(line.to));
  context.stroke();
  context.setLineDash([]);
}

export function dragging(store: Store) {
  let line: Dragged | null = $state.raw(null);
  let over: Pin | null = $state.raw(null);
  let start: { pin: Pin; at: [number, number]; pointer: number } | null = null;
  let ended = 0;

  const tokenAt = (x: number, y: number): Pin | null => {
    const root = document.elementFromPoint(x, y)?.shadowRoot;
    const found = (root ?? document).elementFromPoint(x, y)?.closest<HTMLElement>("[data-end][data-index]");
    return found ? [found.dataset.end as End, Number(found.dataset.index)] : null;
  };

  function onpointerdown(event: PointerEvent) {
    // a finger that moves is scrolling: on a touch screen two taps pin both tokens, and a button asks
    if (event.button !== 0 || event.pointerType === "touch") return;
    const token = (event.target as HTMLElement).closest<HTMLElement>("[data-end][data-index]");
    if (token) start = { pin: [token.dataset.end as End, Number(token.dataset.index)], at: [event.clientX, event.clientY], pointer: event.pointerId };
  }

  function onpointermove(event: PointerEvent) {
    if (!start || event.pointerId !== start.pointer) return;
    if (!(event.buttons & 1)) return stop();
    const [x, y] = start.at;
    if (!line && Math.hypot(event.clientX - x, event.clientY - y) < SLACK) return;
    store.shared.hover = null;
    line = { from: start.at, to: [event.clientX, event.clientY] };
    const found = tokenAt(event.clientX, event.clientY);
    over = found && (found[0] !== start.pin[0] || found[1] !== start.pin[1]) ? found : null;
  }

  function onpointerup() {
    if (start && line) {
      ended = performance.now();
      if (over) ask(start.pin, over);
    }
    stop();
  }

  /** From the left list to the right one, either way; within a list, from where the drag began. */
  function ask([end, index]: Pin, [otherEnd, other]: Pin) {
    if (end === "key" && otherEnd === "query") store.ask(other, index);
    else store.ask(index, other);
  }

  function stop() {
    start = line = over = null;
  }

  return {
    get line() {
      return line;
    },
    get over() {
      return over;
    },
    /** Whether a click is one of its own, and not the end of a drag. */
    isClick: () => performance.now() - ended > 50,
    handlers: { onpointerdown, onpointermove, onpointerup, onpointercancel: stop },
  };
}
