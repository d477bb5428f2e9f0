import { expect, test } from 'vitest'
import { lostLines, tellingLines, withoutReset } from './changed-share.ts'
import { chosenThings } from './chosen.ts'
import { namedFiles } from './named-files.ts'
import { ownKeys } from './own-modules.ts'
import { packageKeys, productKeys } from './package-keys.ts'
import { agrees, pinsIn, statedPins } from './pins.ts'
import { placeOfDecision } from './place-of-decision.ts'
import { followPresence } from './presence.ts'
import { marksOf } from './uses.ts'
import { workspaceScope } from './workspace-scope.ts'

const chosen = (title: string, packages: readonly string[] = [], rationale = ''): string[] =>
  chosenThings({ title, rationale, rejected: [] }, (key) => packages.includes(key)).map(({ spelled }) => spelled)

test('finds the choice in a title, not the alternative it argues against', () => {
  expect(chosen('Use Fastify instead of Express')).toEqual(['Fastify'])
  expect(chosen('No Redis')).toEqual([])
  expect(chosen('Migrate from MySQL to Postgres')).toEqual(['Postgres'])
  expect(chosen('REST for everything')).toEqual([])
})

test('an unknown name counts if a package had it, and an ordinary word only if it is adopted', () => {
  expect(chosen('smol-toml reads TOML', ['smoltoml'])).toEqual(['smol-toml'])
  expect(chosen('Commands are parsed by click', ['click'])).toEqual(['click'])
  expect(chosen('Users click a button', ['click'])).toEqual([])
  expect(chosen('Keys are UUID v7', ['uuid'])).toEqual([])
  expect(chosen('Black formats the code', ['black'])).toEqual(['Black'])
})

test('a package also has the key of the product it belongs to', () => {
  const isKnownBy = (name: string, key: string) => [...packageKeys(name), ...productKeys(name)].includes(key)
  for (const [name, key] of [
    ['@radix-ui/react-dialog', 'radix'],
    ['@temporalio/client', 'temporal'],
    ['com.google.dagger:hilt-android', 'hilt'],
    ['io.circe:circe-core', 'circe'],
    ['aquasecurity/trivy-action', 'trivy'],
    ['terraform-linters/setup-tflint', 'tflint'],
    ['snyk/actions', 'snyk'],
    ['nlohmann-json', 'nlohmannjson'],
    ['nlohmann_json', 'nlohmannjson'],
    ['nlohmann/json', 'nlohmannjson'],
    ['lucide-react', 'lucide'],
  ] as const)
    expect([name, isKnownBy(name, key)]).toEqual([name, true])
  for (const [name, key] of [
    ['actions/checkout', 'actions'],
    ['com.acme:core-ktx', 'core'],
    ['app.cash.sqldelight:android-driver', 'android'],
    ['@aws-sdk/client-s3', 'aws'],
  ] as const)
    expect([name, isKnownBy(name, key)]).toEqual([name, false])
})

test('marks an imported folder as present, but not as a package that could be chosen', () => {
  const none = { has: () => false, begins: () => false }
  expect(marksOf('dagger.hilt.android.HiltAndroidApp', 'import', none)).toContain('.hilt')
  expect(marksOf('shop/orders', 'import', none)).toContain('.shop')
  expect(marksOf('shop/orders', 'import', none)).not.toContain('#shop')
  expect(marksOf('snyk/actions', 'dependency', none)).toContain('#snyk')
  expect(marksOf('radix-vue', 'dependency', none)).toContain('.radix')
  expect(marksOf('order-forms', 'dependency', none)).not.toContain('#order')
})

test('recognises packages in titles of many forms', () => {
  expect(chosen('DI with Hilt', ['hilt'])).toEqual(['Hilt'])
  expect(chosen('UI primitives come from Radix', ['radix'])).toEqual(['Radix'])
  expect(chosen('JSON: circe', ['circe'])).toEqual(['circe'])
  expect(chosen('ADR-005: Trivy scans every image', ['trivy'])).toEqual(['Trivy'])
  expect(chosen('Scenes are read with nlohmann/json', ['nlohmannjson'])).toEqual(['nlohmann/json'])
  expect(chosen('munit for tests', ['munit'])).toEqual(['munit'])
})

test('does not treat the names of the repository and of its packages as choices', () => {
  expect(ownKeys('packages/ui/package.json', '{ "name": "@acme-ui/button" }')).toEqual(
    expect.arrayContaining(['acme', 'acmeui', 'acmeuibutton']),
  )
  const pom = (own: string): string[] =>
    ownKeys(
      'orders/pom.xml',
      `<parent><groupId>io.quarkus</groupId><artifactId>bom</artifactId></parent>${own}<dependencies><dependency><groupId>org.mapstruct</groupId><artifactId>mapstruct</artifactId></dependency></dependencies>`,
    )
  expect(pom('<artifactId>orders-api</artifactId>')).toContain('ordersapi')
  for (const key of ['quarkus', 'bom', 'mapstruct'])
    expect(pom('<artifactId>orders-api</artifactId>')).not.toContain(key)
})

test('finds a choice in a rationale only if it is explicitly adopted', () => {
  expect(chosen('Validate at the edge', ['zod'], 'We use zod for every handler.')).toEqual(['zod'])
  expect(chosen('Validate at the edge', ['zod'], 'Some like zod more.')).toEqual([])
})

test('a thing moved between files in one commit was present throughout', () => {
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

test('reads only plainly stated versions', () => {
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

test('reads versions from manifests', () => {
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

test('reads versions in the terms of each language', () => {
  const stated = (text: string) =>
    statedPins(text, (key) => key === 'http4s').map(({ tool, version }) => `${tool} ${version}`)
  expect(
    [
      'Build with JDK 17',
      'JDK17 everywhere',
      'Java 1.8 for the old fleet',
      'The language level is C++20',
      'minSdk 26',
      'Minimum SDK level is 26',
      'compileSdk = 35',
      '.NET 8 (LTS)',
      'Scala 3.3 (LTS), nothing newer',
      'Rust edition 2021',
      'Node is pinned to 22',
      'Python version 3.12',
      'http4s 0.23',
    ].flatMap(stated),
  ).toEqual([
    'java 17',
    'java 17',
    'java 8',
    'cpp 20',
    'minsdk 26',
    'minsdk 26',
    'compilesdk 35',
    'dotnet 8',
    'scala 3.3',
    'edition 2021',
    'node 22',
    'python 3.12',
    '#http4s 0.23',
  ])
  for (const text of ['C++20 or newer', 'at least C++20', 'JDK 17+', 'No C++20', 'minSdk of the phones', 'Java1Store'])
    expect(stated(text)).toEqual([])
})

test.each([
  ['app/build.gradle.kts', 'kotlin { jvmToolchain(17) }', 'java 17'],
  ['build.gradle', "  sourceCompatibility '17'", 'java 17'],
  ['build.gradle', '  sourceCompatibility = JavaVersion.VERSION_1_8', 'java 8'],
  ['build.gradle.kts', '  jvmTarget = "21"', 'java 21'],
  ['pom.xml', '<maven.compiler.release>17</maven.compiler.release>', 'java 17'],
  ['.github/workflows/a.yml', "          java-version: '17'", 'java 17'],
  ['.java-version', '17.0.2', 'java 17.0.2'],
  ['.tool-versions', 'java temurin-17.0.9', 'java 17.0.9'],
  ['Dockerfile', 'FROM eclipse-temurin:17-jre', 'java 17'],
  ['Dockerfile', 'FROM maven:3.9-eclipse-temurin-17 AS build', 'java 17'],
  ['app/build.gradle', '    minSdkVersion 26', 'minsdk 26'],
  ['app/build.gradle.kts', '        minSdk = 26', 'minsdk 26'],
  ['gradle/libs.versions.toml', 'compileSdk = "35"', 'compilesdk 35'],
  ['CMakeLists.txt', 'set(CMAKE_CXX_STANDARD 20)', 'cpp 20'],
  ['src/CMakeLists.txt', 'target_compile_features(app PUBLIC cxx_std_20)', 'cpp 20'],
  ['build.sbt', 'ThisBuild / scalaVersion := "3.3.4"', 'scala 3.3.4'],
  ['project/build.properties', 'sbt.version=1.10.1', 'sbt 1.10.1'],
  ['src/App.csproj', '<TargetFramework>net8.0</TargetFramework>', 'dotnet 8.0'],
  ['Directory.Build.props', '<TargetFramework>net8.0</TargetFramework>', 'dotnet 8.0'],
  ['Dockerfile', 'FROM mcr.microsoft.com/dotnet/sdk:8.0 AS build', 'dotnet 8.0'],
  ['Cargo.toml', 'edition = "2021"', 'edition 2021'],
  ['Cargo.toml', 'rust-version = "1.80"', 'rust 1.80'],
  ['Package.swift', '// swift-tools-version: 5.9', 'swift 5.9'],
  ['composer.json', '    "php": "^8.2",', 'php 8.2'],
  ['Gemfile', 'ruby "3.3.0"', 'ruby 3.3.0'],
  ['package.json', '  "packageManager": "pnpm@9.12.0",', 'pnpm 9.12.0'],
  ['pnpm-workspace.yaml', '  react: ^18.3.1', '#react 18.3.1'],
  ['compose.yaml', '    image: postgres:16-alpine', 'postgres 16'],
  ['compose.yaml', '    image: pgvector/pgvector:pg16', 'postgres 16'],
  ['k8s/db.yaml', '        - image: registry.local:5000/library/postgres:16.4', 'postgres 16.4'],
])('%s contains a version: %s', (path, line, expected) => {
  const tools = new Set([expected.split(' ')[0]!])
  expect(pinsIn(path, `${line}\n`, tools).map(({ tool, version }) => `${tool} ${version}`)).toEqual([expected])
})

test('formatter and comment changes do not count', () => {
  const share = (path: string, before: string, after: string): number => {
    const [then, now] = [[tellingLines(path, before)], tellingLines(path, after)]
    return withoutReset(then, lostLines(then, now), now).flat().filter(Boolean).length
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

test('finds files that a decision names as existing', () => {
  const named = (rationale: string) => namedFiles({ title: 'X', rationale, files_affected: ['src/listed.ts'] })
  expect(named('Rates live in `config/limits.yaml`, see src/listed.ts.')).toEqual(['config/limits.yaml'])
  expect(named('Node.js and Next.js with https://example.org/a.json, version 1.2.3, e.g. foo.')).toEqual([])
  expect(named('We remove webpack.config.js.')).toEqual([])
})

test('a decision about one package of a workspace does not apply to another', () => {
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

test('a date without a time means the end of that day, unless it is the last day', () => {
  const line = ['2026-01-01T10', '2026-01-02T10', '2026-01-02T18', '2026-01-03T10'].map((at, i) => ({
    id: String(i),
    at: `${at}:00:00.000Z`,
  }))
  const place = (date: string) =>
    placeOfDecision({ date, stood: undefined }, line, { places: new Map(), isShallow: false }).place
  expect([place('2025-12-31'), place('2026-01-02'), place('2026-01-03'), place('2026-02-01')]).toEqual([-1, 2, 2, 3])
})
