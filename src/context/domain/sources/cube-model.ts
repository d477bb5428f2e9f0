import { JsFault, readJsCalls } from './js-calls.ts'
import { objectOf, objectsOf, textOf, type Loose } from './loose-value.ts'
import { readModelYaml } from './model-yaml.ts'
import { plainName } from './page.ts'

/** Cubes and views of a Cube project, in any file language. */
export interface CubeModel {
  readonly cubes: readonly Cube[]
  readonly views: readonly Loose[]
  /** Unreadable files, and values known only at run time. */
  readonly faults: readonly { readonly title: string; readonly reason: string }[]
}

export interface Cube {
  readonly name: string
  /** Its name in the database; undefined if it is a query. */
  readonly table: string | undefined
  readonly settings: Loose
  readonly dimensions: readonly Loose[]
  readonly measures: readonly Loose[]
  readonly segments: readonly Loose[]
  readonly joins: readonly Loose[]
  readonly preAggregations: readonly Loose[]
}

const CALLEES = new Set(['cube', 'view'])

export function readCubeModel(files: readonly { readonly path: string; readonly text: string }[]): CubeModel {
  const faults: { title: string; reason: string }[] = []
  const read = files.map(({ path, text }) => {
    const fault = (reason: string): void => void faults.push({ title: path, reason })
    return /\.js$/i.test(path) ? readJs(text, fault) : readYaml(text, fault)
  })
  return {
    cubes: read.flatMap(({ cubes }) => cubes.flatMap(cubeOf)),
    views: read.flatMap(({ views }) => views.filter(({ name }) => textOf(name) !== undefined)),
    faults,
  }
}

interface ReadFile {
  readonly cubes: readonly Loose[]
  readonly views: readonly Loose[]
}

const NOTHING: ReadFile = { cubes: [], views: [] }

function readYaml(text: string, fault: (reason: string) => void): ReadFile {
  if (!/^(?:cubes|views)[ \t]{0,40}:/m.test(text)) return NOTHING
  if (/\{[%{]/.test(text)) {
    fault('it is a template, and Ken runs none')
    return NOTHING
  }
  const yaml = readModelYaml(text)
  if ('reason' in yaml) {
    fault(yaml.reason)
    return NOTHING
  }
  const { cubes, views } = objectOf(yaml.value)
  return { cubes: objectsOf(cubes).map(snakeKeys), views: objectsOf(views).map(snakeKeys) }
}

function readJs(text: string, fault: (reason: string) => void): ReadFile {
  try {
    const { calls, hidden } = readJsCalls(text, CALLEES)
    if (hidden.length > 0)
      fault(`what line ${hidden.join(', ')} makes is known only when it runs, and Ken runs nothing`)
    const made = calls.map(({ callee, values: [name, settings], dynamic }) => {
      if (dynamic.length > 0)
        fault(`${String(name)}: ${dynamic.slice(0, 10).join(', ')} is known only when it runs, and is left out`)
      return { callee, settings: { ...snakeKeys(objectOf(settings)), name } as Loose }
    })
    const of = (callee: string): readonly Loose[] =>
      made.filter((one) => one.callee === callee).map(({ settings }) => settings)
    return { cubes: of('cube'), views: of('view') }
  } catch (error) {
    if (!(error instanceof JsFault)) throw error
    fault(error.message)
    return NOTHING
  }
}

function cubeOf(settings: Loose): Cube[] {
  const name = textOf(settings['name'])
  if (name === undefined) return []
  const table = textOf(settings['sql_table'])
  // `sql: SELECT * FROM orders` is a table under another name.
  const whole = /^select \* from ([\w."`-]{1,300});?$/i.exec((textOf(settings['sql']) ?? '').replaceAll(/\s+/g, ' '))
  const place = table ?? whole?.[1]
  return [
    {
      name,
      table: place === undefined ? undefined : plainName(place),
      settings,
      dimensions: membersOf(settings['dimensions']),
      measures: membersOf(settings['measures']),
      segments: membersOf(settings['segments']),
      joins: membersOf(settings['joins']),
      preAggregations: membersOf(settings['pre_aggregations']),
    },
  ]
}

/** A list of named members in YAML, an object by name in JavaScript. */
export function membersOf(value: unknown): readonly Loose[] {
  if (Array.isArray(value)) return objectsOf(value).map(snakeKeys)
  return Object.entries(objectOf(value)).map(([name, member]) => ({ ...snakeKeys(objectOf(member)), name }))
}

/** Converts keys such as `primaryKey` in JavaScript to `primary_key` as in YAML. */
function snakeKeys(value: Loose): Loose {
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), one]),
  )
}
