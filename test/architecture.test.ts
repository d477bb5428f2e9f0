import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { expect, test } from 'vitest'
import { importCycles, readSource } from '../scripts/shape/read-source.ts'

const ROOT = resolve(import.meta.dirname, '..')
const SRC = join(ROOT, 'src')

// The dependency rule: the rooms that each room may import, besides itself. `src/README.md` draws it.
const SUBJECTS = ['retrieval', 'setup', 'record', 'memory', 'context', 'analyst', 'evaluation', 'team']
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  kernel: [],
  retrieval: ['kernel'],
  setup: ['kernel'],
  record: ['kernel', 'retrieval', 'setup'],
  memory: ['kernel', 'retrieval'],
  context: ['kernel', 'retrieval'],
  analyst: ['kernel', 'retrieval', 'setup', 'record', 'memory', 'context'],
  evaluation: ['kernel', 'retrieval', 'setup', 'record', 'memory', 'context', 'analyst'],
  team: ['kernel', 'retrieval', 'setup', 'record', 'memory', 'context', 'analyst', 'evaluation'],
  database: ['kernel', ...SUBJECTS],
  operations: ['kernel', ...SUBJECTS],
  surfaces: ['kernel', ...SUBJECTS, 'operations'],
  app: ['kernel', ...SUBJECTS, 'database', 'operations', 'surfaces'],
}

/** Parts of a room: `domain` is pure, `ports` are interfaces, `operations` may use every subject, the rest are use cases and back ends. */
const partOf = (file: string): string => {
  const part = file.split('/')[2]!
  return ['domain', 'ports', 'operations'].includes(part) ? part : 'room'
}

function mayImport(file: string, target: string): boolean {
  const [from, to] = [roomOf(file), roomOf(target)]
  const [part, targetPart] = [partOf(file), partOf(target)]
  const isOperation = part === 'operations' || from === 'operations'
  if (targetPart === 'operations') return ['operations', 'surfaces', 'app'].includes(from) || part === 'operations'
  if (part === 'domain') return targetPart === 'domain' && (from === to || MAY_IMPORT[from]!.includes(to))
  if (part === 'ports')
    return ['domain', 'ports'].includes(targetPart) && (from === to || MAY_IMPORT[from]!.includes(to))
  if (isOperation) return to === 'operations' || MAY_IMPORT['operations']!.includes(to)
  // A database back end depends on the data it stores, never on its use.
  if (from === 'database') return to === 'database' || to === 'kernel' || ['domain', 'ports'].includes(targetPart)
  if (to === 'database') return from === 'app' || isPostgresBackEnd(file)
  return from === to || MAY_IMPORT[from]!.includes(to)
}

const isPostgresBackEnd = (file: string): boolean => POSTGRES.test(file)
const POSTGRES =
  /\/postgres(?:-[\w-]+)?(?:\/|\.ts$)|^src\/(?:context\/context-origins|team\/(?:data-export|people|sign-in))\//
const JUNK = /(^|\/)(utils?|helpers?|common|misc|manager|service|base|impl)(\.|\/)/
const LONGEST_FILE = 400
const LONGEST_FUNCTION = 80
const source = readSource(ROOT)
const web = readSource(ROOT, 'web')

const files = readdirSync(SRC, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
  .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).split(sep).join('/'))

const importsOf = (file: string): string[] =>
  [...readFileSync(join(ROOT, file), 'utf8').matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map((match) =>
    relative(ROOT, resolve(ROOT, file, '..', match[1]!))
      .split(sep)
      .join('/'),
  )

const roomOf = (file: string): string => file.split('/')[1]!

test('imports point to the right: app, surfaces, operations, subjects, kernel', () => {
  const wrong = files.flatMap((file) =>
    importsOf(file)
      .filter((target) => target.startsWith('src/') && target !== 'src/core.ts')
      .filter((target) => file !== 'src/core.ts' && !mayImport(file, target))
      .map((target) => `${file} → ${target}`),
  )
  expect(wrong).toEqual([])
})

test('a record uses its decision index through the public entry, and the index imports no record storage', () => {
  const [store, index] = ['src/record/store/files/', 'src/record/store/files/decision-index/']
  const shared = ['record-failure.ts', 'record-file.ts'].map((name) => `${store}${name}`)
  const wrong = files
    .filter((file) => file.startsWith(store))
    .flatMap((file) => importsOf(file).map((target) => [file, target] as const))
    .filter(([file, target]) =>
      file.startsWith(index)
        ? target.startsWith(store) && !target.startsWith(index) && !shared.includes(target)
        : target.startsWith(index) && target !== `${index}index.ts`,
    )
  expect(wrong).toEqual([])
})

test('operations and use cases reach the outside only through ports', () => {
  const outside = /(?:from|import\()\s*'node:(?:fs|child_process|net|https?)(?:\/[^']*)?'/
  // Other folders of a subject are its back ends.
  const inside = files.filter(
    (file) =>
      roomOf(file) === 'operations' ||
      (SUBJECTS.includes(roomOf(file)) && (partOf(file) === 'operations' || file.split('/').length === 3)),
  )
  expect(inside.filter((file) => outside.test(readFileSync(join(ROOT, file), 'utf8')))).toEqual([])
})

test('browser code imports only pure code from the source, and otherwise types', () => {
  const wrong = web.flatMap(({ path, imports, loads }) =>
    [...imports, ...loads]
      .filter((target) => target.startsWith('src/') && partOf(target) !== 'domain')
      .map((target) => `${path} → ${target}`),
  )
  expect(wrong).toEqual([])
  const node = /(?:from|import\()\s*'node:/
  expect(web.filter(({ code }) => node.test(code)).map(({ path }) => path)).toEqual([])
})

test('a page uses no parsing library that generates code: its policy would block it', () => {
  const byPath = new Map([...source, ...web].map((file) => [file.path, file]))
  const reached = new Set<string>()
  const waiting = web.map(({ path }) => path)
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (reached.has(path)) continue
    reached.add(path)
    const file = byPath.get(path)
    waiting.push(...(file?.imports ?? []), ...(file?.loads ?? []))
  }
  expect([...reached].filter((path) => /from 'zod'/.test(byPath.get(path)?.code ?? ''))).toEqual([])
})

test('a page shows text as text: nothing in it is parsed as HTML', () => {
  const html = /dangerouslySetInnerHTML|\b(?:inner|outer)HTML\b|insertAdjacentHTML|\beval\(|new Function\(/
  expect(web.filter(({ code }) => html.test(code)).map(({ path }) => path)).toEqual([])
})

test('there are no import cycles', () => {
  expect(importCycles(source)).toEqual([])
})

test('file names use domain terms', () => {
  expect(files.filter((file) => JUNK.test(file))).toEqual([])
})

test('no file and no function is too long to read', () => {
  const all = [...source, ...web]
  expect(all.filter(({ lines }) => lines > LONGEST_FILE).map(({ path }) => path)).toEqual([])
  const long = all.flatMap(({ path, functions }) =>
    functions.filter(({ ownLines }) => ownLines > LONGEST_FUNCTION).map(({ name, line }) => `${path}:${line} ${name}`),
  )
  expect(long).toEqual([])
})

test('only app reads the environment, and only app and surfaces write to a stream', () => {
  const inside = files.filter((file) => !['app', 'surfaces'].includes(roomOf(file)))
  // git inherits only a part of the environment; any other program would inherit all of it.
  expect(inside.filter((file) => /process\.env\b/.test(readFileSync(join(ROOT, file), 'utf8')))).toEqual([
    'src/kernel/system/git.ts',
  ])
  expect(
    inside.filter((file) => /process\.(stdout|stderr)\b|\bconsole\./.test(readFileSync(join(ROOT, file), 'utf8'))),
  ).toEqual([])
})

test('a port has at most eight methods', () => {
  const wide = files
    .filter((file) => partOf(file) === 'ports')
    .flatMap((file) =>
      [...readFileSync(join(ROOT, file), 'utf8').matchAll(/export interface (\w+)[^{]*\{([\s\S]*?)\n\}/g)]
        .filter(([, name]) => !/Context$|^Call$/.test(name!)) // many of them together, not one
        .filter(([, , body]) => (body!.match(/^ {2}\w+(?:<[^>]*>)?\(/gm) ?? []).length > 8)
        .map(([, name]) => `${file}: ${name}`),
    )
  expect(wide).toEqual([])
})

test('every room documents its purpose, and who may import it', () => {
  const rooms = Object.keys(MAY_IMPORT)
  expect(rooms.toSorted()).toEqual(
    readdirSync(SRC, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .toSorted(),
  )
  const others = (list: readonly string[], room: string) => list.filter((one) => one !== room).join(', ') || 'nothing'
  for (const room of rooms) {
    const enteredBy = rooms.filter((one) => MAY_IMPORT[one]!.includes(room))
    expect(readFileSync(join(SRC, room, 'README.md'), 'utf8')).toContain(
      `\n\nMay import: ${others(MAY_IMPORT[room]!, room)}. Imported by: ${others(enteredBy, room)}.\n`,
    )
  }
  for (const place of ['src', 'test', 'eval', 'bench'])
    expect(readFileSync(join(ROOT, place, 'README.md'), 'utf8')).toMatch(new RegExp(`^# ${place}\\n\\n\\w`))
})

test('every adapter folder describes itself with a doc line or a definition', () => {
  const silent = files
    .filter((file) => file.endsWith('/index.ts'))
    .filter(
      (file) =>
        !/^(?: \*\/|\/\*\* .* \*\/)\nexport |^export const \w+ = (?:define\w+\()?\{/m.test(
          readFileSync(join(ROOT, file), 'utf8'),
        ),
    )
  expect(silent).toEqual([])
})

test('no test has a bare pattern in an object, which would equal every text', () => {
  const tests = ['src', 'test', 'web']
    .flatMap((room) => readdirSync(join(ROOT, room), { recursive: true }).map((path) => join(room, String(path))))
    .filter((path) => /\.(?:test|contract)\.tsx?$/.test(path))
  const bare =
    /^[^\n]*\.toMatchObject\([^\n]*\b\w+: \/(?![/*])[^\n]*$|^ +(?:message|hint|line): \/(?![/*]).*\/[a-z]*,$/gm
  const found = tests.flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(bare)].map(([line]) => `${file}: ${line.trim()}`),
  )
  expect(found).toEqual([])
})

test('only one file runs git', () => {
  const runners = files.filter((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8')
    return text.includes("from 'node:child_process'") && /['"`]git['"`]|\bexec git\b/.test(text)
  })
  expect(runners).toEqual(['src/kernel/system/git.ts'])
})
