/** Print the page. Chrome pauses scripts while its dialog is open, and then allows no new parts of a page: all that is
 * printed is drawn before, by the listeners of `beforeprint`. */
export function printPage(): void {
  window.dispatchEvent(new Event("beforeprint"));
  window.print();
}
