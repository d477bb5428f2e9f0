// Structure of the source in figures: `npm run shape [-- --json] [-- --walk] [-- --root <older checkout>]`. `--walk` also
// prints the files of each path in the order in which they are entered.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { extensionPoints } from './shape/extension-points.ts'
import { importCycles, readSource, type SourceFile } from './shape/read-source.ts'
import { walkPaths } from './shape/walk-paths.ts'

const SMALL = 40
const HERE = join(import.meta.dirname, '..')

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    walk: { type: 'boolean', default: false },
    root: { type: 'string', default: HERE },
  },
})
const root = resolve(options.root)
const shape = await shapeOf(root)
console.log(options.json ? JSON.stringify(shape, null, 2) : table(shape))
if (options.walk) for (const { name, walk } of shape.paths) console.log([`# ${name}`, ...walk, ''].join('\n'))

async function shapeOf(folder: string) {
  const files = readSource(folder)
  const functions = files.flatMap((file) => file.functions)
  return {
    rooms: rooms(files),
    files: {
      count: files.length,
      lines: percentiles(files.map(({ lines }) => lines)),
      small: files.filter(({ lines }) => lines < SMALL).length,
      withOneImporter: importerCounts(files).filter((count) => count === 1).length,
    },
    functions: {
      count: functions.length,
      lines: percentiles(functions.map(({ lines }) => lines)),
      ownLines: percentiles(functions.map(({ ownLines }) => ownLines)),
    },
    cycles: {
      values: importCycles(files),
      withTypes: importCycles(files, ({ imports, typeImports }) => [...imports, ...typeImports]).length,
      loads: files.reduce((sum, { loads }) => sum + loads.length, 0),
    },
    dead: deadExports(folder),
    extensionPoints: extensionPoints(files),
    paths: await walkPaths(folder),
  }
}

type Shape = Awaited<ReturnType<typeof shapeOf>>

function rooms(files: readonly SourceFile[]) {
  const byRoom = Map.groupBy(files, ({ path }) => path.split('/')[1]!)
  return [...byRoom].map(([room, inside]) => ({
    room,
    files: inside.length,
    lines: inside.reduce((sum, { lines }) => sum + lines, 0),
  }))
}

function percentiles(numbers: readonly number[]) {
  const sorted = [...numbers].sort((one, other) => one - other)
  const at = (share: number): number => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
  return { p50: at(0.5), p90: at(0.9), max: at(1) }
}

/** How many files import, load or use the types of each file. */
function importerCounts(files: readonly SourceFile[]): number[] {
  const counts = new Map(files.map(({ path }) => [path, 0]))
  for (const { imports, typeImports, loads } of files)
    for (const target of new Set([...imports, ...typeImports, ...loads]))
      if (counts.has(target)) counts.set(target, counts.get(target)! + 1)
  return [...counts.values()]
}

/** Number reported by knip, with this tree's configuration if an older one has none. */
function deadExports(folder: string): number {
  const knip = join(HERE, 'node_modules/knip/bin/knip.js')
  const config = [folder, HERE].map((one) => join(one, 'knip.jsonc')).find((path) => existsSync(path))!
  const words = ['--directory', folder, '--config', config, '--include', 'exports,types,files']
  const { stdout } = spawnSync(process.execPath, [knip, ...words, '--reporter', 'json', '--no-config-hints'], {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  })
  const { issues } = JSON.parse(stdout) as { issues: readonly Readonly<Record<string, unknown>>[] }
  return issues.flatMap(({ exports, types, files }) => [exports, types, files].flat().filter(Boolean)).length
}

function table({ rooms: byRoom, files, functions, cycles, dead, extensionPoints: points, paths }: Shape): string {
  const spread = ({ p50, p90, max }: { p50: number; p90: number; max: number }): string => `${p50} / ${p90} / ${max}`
  const percent = (part: number, whole: number): string => `${Math.round((100 * part) / whole)} %`
  return [
    ...block(
      ['room', 'files', 'lines', 'mean'],
      [
        ...byRoom.map((one) => [one.room, one.files, one.lines, Math.round(one.lines / one.files)]),
        ...[byRoom.reduce((sum, one) => sum + one.lines, 0)].map((lines) => [
          'all',
          files.count,
          lines,
          Math.round(lines / files.count),
        ]),
      ],
    ),
    ...block(
      ['size', ''],
      [
        ['lines of a file (p50 / p90 / max)', spread(files.lines)],
        [`files under ${SMALL} lines`, `${files.small} (${percent(files.small, files.count)})`],
        ['files with one importer', `${files.withOneImporter} (${percent(files.withOneImporter, files.count)})`],
        ['functions in braces', functions.count],
        ['lines of a function (p50 / p90 / max)', spread(functions.ownLines)],
        ['with the functions inside it', spread(functions.lines)],
        ['import cycles', cycles.values.length],
        ['circles that only types close', cycles.withTypes - cycles.values.length],
        ['imports that wait until they are needed', cycles.loads],
        ['dead exports and files', dead],
      ],
    ),
    ...block(
      ['to add a', 'files', 'such as', 'beside its own place'],
      points.map((one) => [one.kind, one.files, one.member, one.namedIn.slice(0, 6).join(' ') || '-']),
    ),
    ...block(
      ['path', 'files', 'of its own', 'functions', 'hops back', 'rooms'],
      paths.map((one) => [one.name, one.files, one.ownFiles, one.functions, one.hopsBack, one.rooms]),
    ),
  ].join('\n')
}

function block(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string[] {
  const cells = [head, ...rows].map((row) => row.map(String))
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)))
  const isNumber = (column: number): boolean => rows.every((row) => typeof row[column] === 'number')
  return [
    ...cells.map((row) =>
      row
        .map((cell, i) => (isNumber(i) ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!)))
        .join('  ')
        .trimEnd(),
    ),
    '',
  ]
}
