/** One bundle for all homes: a page of a view or of a report, a notebook's widget, or any element of a web app. */

import "./page.css";
import type { Scene } from "./core/contract";
import { showReport } from "./report/page";
import { mount, showView } from "./view";
import { initialize, render } from "./widget";

export { mount };
export default { initialize, render };

/** What this page holds, if it is a page of its own. */
const held = (name: string) => document.querySelector(`script[data-attlas="${name}"]`)?.textContent;
const home = document.getElementById("attlas")!;
const [scene, report] = [held("scene"), held("report")];
if (scene) void showView(home, JSON.parse(scene) as Scene);
else if (report) void showReport(home, report, held("data")!);
