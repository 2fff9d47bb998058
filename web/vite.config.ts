import { createHash } from "node:crypto";
import { readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";
import type { LibraryOptions, Plugin } from "vite";

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
    apply: () => !process.env.VITEST, // tests build nothing
    closeBundle() {
      const hash = createHash("sha256");
      for (const name of sources()) hash.update(name).update("\0").update(readFileSync(join(root, name))).update("\0");
      writeFileSync(join(bundle, "sources.sha256"), hash.digest("hex") + "\n");
    },
  };
}

/** A plain script, with its style beside it. */
const script = (entry: string, name: string): LibraryOptions => ({ entry: join(root, entry), formats: ["iife"], name: "attlas", fileName: () => `${name}.js`, cssFileName: name });

/** Three files come of one front end: a module for views and reports, which knows no network, the app's script, and that of published sites. */
const library = (mode: string): LibraryOptions =>
  mode === "app"
    ? script("src/app/app.ts", "app")
    : mode === "site"
      ? script("src/site/site.ts", "site")
      : { entry: join(root, "src/main.ts"), formats: ["es"], fileName: () => "attlas.js", cssFileName: "attlas" };

export default defineConfig(({ mode }) => ({
  plugins: [svelte({ compilerOptions: { css: "external" } }), stamp()],
  build: {
    outDir: bundle,
    emptyOutDir: !["app", "site"].includes(mode),
    target: "es2022",
    cssCodeSplit: false,
    rolldownOptions: { output: { minify: true } }, // libraries keep their white space otherwise, and this one goes into every page
    lib: library(mode),
  },
  // the store must react in tests as it does in a browser
  resolve: process.env.VITEST ? { conditions: ["browser"] } : {},
  test: { include: ["tests/**/*.test.ts"], environment: "node" },
}));
