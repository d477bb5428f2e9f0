import { expect, test } from 'vitest'
import { lostLines, tellingLines, withoutSetAnew } from './changed-share.ts'
import { chosenThings } from './chosen.ts'
import { namedFiles } from './named-files.ts'
import { agrees, pinsIn, statedPins } from './pins.ts'
import { placeOfDecision } from './place-of-decision.ts'
import { followPresence } from './presence.ts'
import { workspaceScope } from './workspace-scope.ts'

const chosen = (title: string, packages: readonly string[] = [], rationale = ''): string[] =>
  chosenThings({ title, rationale, rejected: [] }, (key) => packages.includes(key)).map(({ spelled }) => spelled)

test('a title names what it chose, and not what it speaks against', () => {
  expect(chosen('Use Fastify instead of Express')).toEqual(['Fastify'])
  expect(chosen('No Redis')).toEqual([])
  expect(chosen('Migrate from MySQL to Postgres')).toEqual(['Postgres'])
  expect(chosen('REST for everything')).toEqual([])
})

test('a name that no table knows counts where a package was called so, and an ordinary word only where it is taken up', () => {
  expect(chosen('smol-toml reads TOML', ['smoltoml'])).toEqual(['smol-toml'])
  expect(chosen('Commands are parsed by click', ['click'])).toEqual(['click'])
  expect(chosen('Users click a button', ['click'])).toEqual([])
  expect(chosen('Keys are UUID v7', ['uuid'])).toEqual([])
  expect(chosen('Black formats the code', ['black'])).toEqual(['Black'])
})

test('a rationale names what it says is taken up', () => {
  expect(chosen('Validate at the edge', ['zod'], 'We use zod for every handler.')).toEqual(['zod'])
  expect(chosen('Validate at the edge', ['zod'], 'Some like zod more.')).toEqual([])
})

test('what one commit moves from file to file was there all along', () => {
  const set = (...marks: string[]) => new Set(marks)
  const presence = followPresence([
    { place: 0, path: 'package.json', marks: set('zod', 'redis') },
    { place: 5, path: 'package.json', marks: set() },
    { place: 5, path: 'packages/a/package.json', marks: set('zod') },
    { place: 7, path: 'packages/b/package.json', marks: set('redis') },
  ])
  expect(presence.cameAfter('zod', 1)).toBeUndefined()
  expect(presence.isThereAt('redis', 6)).toBe(false)
  expect(presence.cameAfter('redis', 1)).toMatchObject({ place: 7 })
  expect(presence.left('redis')).toMatchObject({ place: 5, path: 'package.json' })
  expect(presence.cameAfter('redis', 1, (path) => path === 'package.json')).toBeUndefined()
})

test('versions are stated plainly or not at all', () => {
  const stated = (text: string) =>
    statedPins(text, (key) => key === 'react').map(({ tool, version }) => `${tool} ${version}`)
  expect(stated('We run on Node 22')).toEqual(['node 22'])
  expect(stated('Node.js 22.18 and Python 3.12')).toEqual(['node 22.18', 'python 3.12'])
  expect(stated('React 18 renders')).toEqual(['#react 18'])
  for (const text of ['Node 22 or newer', 'at least Node 22', 'Node 22+', 'Drop Node 18', 'Step 3 of 4', 'Chapter 12'])
    expect(stated(text)).toEqual([])
  expect([agrees('22', '22.18'), agrees('3.12', '3.1'), agrees('3.12', '3'), agrees('1.2', '1.20')]).toEqual([
    true,
    false,
    true,
    false,
  ])
})

test('versions are read where manifests keep them', () => {
  const found = (path: string, text: string) =>
    pinsIn(path, text, new Set(['node', 'python', 'go', 'java', '#django', '#react'])).map(
      ({ tool, version, line }) => `${tool} ${version}:${line}`,
    )
  expect(
    found(
      'package.json',
      '{\n  "engines": {\n    "node": ">=20.1"\n  },\n  "dependencies": { \n "react": "^18.2.0" } }',
    ),
  ).toEqual(['node 20.1:3', '#react 18.2.0:6'])
  expect(found('requirements.txt', 'Django==4.2 # x\n')).toEqual(['#django 4.2:1'])
  expect(found('Dockerfile', 'FROM --platform=x docker.io/library/node:22-alpine AS a\n')).toEqual(['node 22:1'])
  expect(found('go.mod', 'module x\n\ngo 1.22\n')).toEqual(['go 1.22:3'])
})

test('what a formatter or a comment changes is no change', () => {
  const share = (path: string, before: string, after: string): number => {
    const [then, now] = [[tellingLines(path, before)], tellingLines(path, after)]
    return withoutSetAnew(then, lostLines(then, now), now).flat().filter(Boolean).length
  }
  expect(
    share(
      'a.ts',
      'const a = { one: "first", two: "second" }\n',
      "// why\nconst a = {\n  one: 'first',\n  two: 'second',\n};\n",
    ),
  ).toBe(0)
  expect(share('a.ts', 'call(\n  "first",\n  second,\n  third\n)\n', 'call("first", second, third)\n')).toBe(0)
  expect(share('a.py', 'x = 1  # one\n', '"""Doc."""\nx   =   1\n')).toBe(0)
  expect(share('a.ts', 'const a = compute(1)\nconst b = compute(2)\n', 'const b = compute(2)\n')).toBe(1)
})

test('a decision names files as they are there', () => {
  const named = (rationale: string) => namedFiles({ title: 'X', rationale, files_affected: ['src/listed.ts'] })
  expect(named('Rates live in `config/limits.yaml`, see src/listed.ts.')).toEqual(['config/limits.yaml'])
  expect(named('Node.js and Next.js with https://example.org/a.json, version 1.2.3, e.g. foo.')).toEqual([])
  expect(named('We remove webpack.config.js.')).toEqual([])
})

test('a decision about one package of a workspace says nothing of another', () => {
  const scope = workspaceScope(
    ['services/api/src/'],
    ['package.json', 'services/api/package.json', 'services/web/package.json'],
  )
  expect(['package.json', 'services/api/package.json', 'services/web/package.json'].map(scope)).toEqual([
    true,
    true,
    false,
  ])
  expect(workspaceScope([], ['a/package.json'])('a/package.json')).toBe(true)
})

test('a day alone stands for its end, unless it is the last one', () => {
  const line = ['2026-01-01T10', '2026-01-02T10', '2026-01-02T18', '2026-01-03T10'].map((at, i) => ({
    id: String(i),
    at: `${at}:00:00.000Z`,
  }))
  const place = (date: string) =>
    placeOfDecision({ date, stood: undefined }, line, { places: new Map(), isShallow: false }).place
  expect([place('2025-12-31'), place('2026-01-02'), place('2026-01-03'), place('2026-02-01')]).toEqual([-1, 2, 2, 3])
})
