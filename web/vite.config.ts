import { createHash } from "node:crypto";
import { readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";
import type { Plugin } from "vite";

const root = fileURLToPath(new URL(".", import.meta.url));
const bundle = join(root, "../src/attlas/views/bundle");

/** Everything the bundle is made of; the Python test hashes the same files in the same order. */
function sources(): string[] {
  const walk = (folder: string): string[] =>
    readdirSync(folder).flatMap((name) => {
      const path = join(folder, name);
      return statSync(path).isDirectory() ? walk(path) : [path];
    });
  const names = [...walk(join(root, "src")), ...["package.json", "vite.config.ts"].map((name) => join(root, name))];
  return names.map((path) => relative(root, path).replaceAll("\\", "/")).sort();
}

/** Leaves the hash of the sources beside the bundle, so that a stale bundle is noticed without Node. */
function stamp(): Plugin {
  return {
    name: "attlas-stamp",
    closeBundle() {
      const hash = createHash("sha256");
      for (const name of sources()) hash.update(name).update("\0").update(readFileSync(join(root, name))).update("\0");
      writeFileSync(join(bundle, "sources.sha256"), hash.digest("hex") + "\n");
    },
  };
}

/** Two bundles, each whole, since each goes into a page of one file: the views' and the report's (`--mode report`). */
const entry = (mode: string) =>
  mode === "report" ? { entry: "src/report/main.ts", name: "report", first: false } : { entry: "src/main.ts", name: "attlas", first: true };

export default defineConfig(({ mode }) => ({
  plugins: [svelte({ compilerOptions: { css: "external" } }), stamp()],
  build: {
    outDir: bundle,
    emptyOutDir: entry(mode).first,
    target: "es2022",
    cssCodeSplit: false,
    lib: { entry: join(root, entry(mode).entry), formats: ["es"], fileName: () => `${entry(mode).name}.js`, cssFileName: entry(mode).name },
  },
  // the store must react in tests as it does in a browser
  resolve: process.env.VITEST ? { conditions: ["browser"] } : {},
  test: { include: ["tests/**/*.test.ts"], environment: "node" },
}));
