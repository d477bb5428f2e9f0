// After `npm install` in a clone: removes what packages carry and nothing here opens, a quarter of all.
// Plain JavaScript, for Node 20 may run it. What cannot be removed stays; an installation never fails for it.
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

const PACKAGES = join(import.meta.dirname, '..', 'node_modules')
const UNUSED = [
  // Where node/bin/node was linked from, with the headers of Node.
  /^node\/node_modules$/,
  // Builds of the whole for a page or a debugger, beside the modules that are imported.
  /^(?:echarts|zrender)\/dist$/,
  /^(?:pdfkit\/js\/pdfkit\.standalone\.js|pdfkit\/\.yarn|playwright-core\/lib\/vite|web-tree-sitter\/debug)$/,
  // Sources and manuals beside what was built from them.
  /^(?:ai|zod|zrender|lexical|@(?:ai-sdk|lexical|tanstack)\/[^/]+)\/src$/,
  /^(?:ai|@(?:ai-sdk|base-ui)\/[^/]+)\/docs$/,
  /\.(?:[cm]?[jt]s|css|wasm)\.map$/,
]

function trim(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    const name = relative(PACKAGES, path).split(sep).join('/')
    try {
      if (UNUSED.some((pattern) => pattern.test(name))) rmSync(path, { recursive: true, force: true })
      // No link is followed: a package that somebody linked is their own work.
      else if (entry.isDirectory()) trim(path)
    } catch (error) {
      console.log(`node_modules/${name} is unused and could not be removed: ${error.message}`)
    }
  }
}

if (existsSync(PACKAGES)) trim(PACKAGES)
