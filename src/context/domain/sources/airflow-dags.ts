import { airflowTask, assetName, type AirflowTask } from './airflow-task.ts'
import {
  callsIn,
  constantsOf,
  entriesOf,
  itemsOf,
  lastName,
  patternOf,
  resolved,
  statementsIn,
  textOf,
  within,
  type PyCall,
  type PyExpression,
  type PyFunction,
  type PyScope,
  type PyStatement,
} from './python-tree.ts'

/** A DAG as its file declares it. Values known only at run time are undefined or missing. */
export interface AirflowDag {
  readonly id: string
  readonly file: string
  readonly schedule: string | undefined
  readonly owner: string | undefined
  readonly about: string | undefined
  readonly tags: readonly string[]
  readonly tasks: readonly AirflowTask[]
  /** Pairs: the first runs before the second. */
  readonly edges: readonly (readonly [string, string])[]
}

/** The DAGs of one file. */
export function readAirflowDags(
  statements: readonly PyStatement[],
  file: string,
  sqlFile: (path: string) => string | undefined,
): readonly AirflowDag[] {
  if (!statementsIn(statements).some((one) => one.kind === 'import' && /^airflow(?:\.|$)/.test(one.module))) return []
  const scope = constantsOf(statements)
  const functions = statements.filter((one) => one.kind === 'function')
  const readers = new Map<string, DagReader>()
  let count = 0
  const reader = (id: string, call: PyCall | undefined, doc?: string): DagReader => {
    count++
    const made = new DagReader({ id, file, call, doc, scope, sqlFile, functions })
    readers.set(id, made)
    return made
  }
  const visit = (body: readonly PyStatement[]): void => {
    for (const one of body) {
      if (count >= MOST_DAGS) return
      if (one.kind === 'with') {
        const item = one.items.find(({ value }) => dagCall(value) !== undefined)
        const call = item && dagCall(item.value)
        const id = call && dagId(call, scope)
        if (id === undefined) visit(one.body)
        else reader(id, call, undefined).read(one.body)
      } else if (one.kind === 'function') visitFunction(one)
      else if (one.kind === 'block') visit(one.body)
      else if (one.kind === 'assign' && dagCall(one.value) !== undefined) {
        const id = dagId(dagCall(one.value)!, scope)
        if (id !== undefined) reader(id, dagCall(one.value), undefined).readNamed(statements, one.target)
      }
    }
  }
  const visitFunction = (one: PyFunction): void => {
    const mark = one.decorators.find((value) => /^(?:airflow\.\S+\.)?(?:dag|asset)$/.test(nameOf(value)))
    if (mark === undefined) return visit(one.body)
    const call = mark.kind === 'call' ? mark : undefined
    const id = (call && dagId(call, scope)) ?? one.name
    const made = reader(id, call, one.doc)
    if (lastName(nameOf(mark)) === 'asset') made.readAsset(one)
    else made.read(one.body)
  }
  visit(statements)
  return [...readers.values()].map((one) => one.dag())
}

// Each DAG searches the whole file for its tasks.
const MOST_DAGS = 500

const nameOf = (value: PyExpression): string =>
  value.kind === 'call' ? value.callee : value.kind === 'name' ? value.name : ''

const dagCall = (value: PyExpression): PyCall | undefined =>
  value.kind === 'call' && /^(?:[\w.]+\.)?DAG$/.test(value.callee) ? value : undefined

const dagId = (call: PyCall, scope: PyScope): string | undefined =>
  patternOf(call.named['dag_id'] ?? call.given[0], scope)?.text

interface DagParts {
  readonly id: string
  readonly file: string
  readonly call: PyCall | undefined
  readonly doc: string | undefined
  readonly scope: PyScope
  readonly sqlFile: (path: string) => string | undefined
  /** Functions of the module, which tasks may run. */
  readonly functions: readonly PyFunction[]
}

/** Follows the body of a DAG from the top: its tasks, the values of its names, and the order. */
class DagReader {
  readonly #parts: DagParts
  readonly #tasks = new Map<string, AirflowTask>()
  readonly #edges = new Map<string, readonly [string, string]>()
  /** Tasks that a name refers to. */
  readonly #names = new Map<string, readonly string[]>()
  readonly #functions = new Map<string, PyFunction>()
  /** Tasks by the call that creates them, so that each call creates one. */
  readonly #made = new Map<PyCall, readonly string[]>()
  /** Assignments in the DAG; a name assigned twice is ambiguous. */
  readonly #own = new Map<string, PyExpression>()
  readonly #twice = new Set<string>()
  readonly #scope: PyScope

  constructor(parts: DagParts) {
    this.#parts = parts
    this.#scope = within(parts.scope, this.#own)
    for (const one of parts.functions) if (isTaskFunction(one)) this.#functions.set(one.name, one)
  }

  read(body: readonly PyStatement[], group = ''): void {
    for (const one of body) {
      if (one.kind === 'function') this.#readFunction(one, group)
      else if (one.kind === 'assign') this.#assign(one.target, one.value, group)
      else if (one.kind === 'expression') this.#evaluate(one.value, group)
      else if (one.kind === 'with') {
        const item = one.items.find(({ value }) => value.kind === 'call' && lastName(value.callee) === 'TaskGroup')
        const call = item?.value.kind === 'call' ? item.value : undefined
        const id = call && patternOf(call.named['group_id'] ?? call.given[0], this.#scope)?.text
        if (item?.alias !== undefined && id !== undefined) this.#names.set(item.alias, [`${group}${id}`])
        this.read(one.body, id === undefined ? group : `${group}${id}.`)
      } else if (one.kind === 'block') this.read(one.body, group)
    }
  }

  /** Tasks outside `with` that name their DAG. */
  readNamed(statements: readonly PyStatement[], dag: string): void {
    const isOwn = (value: PyExpression): boolean =>
      callsIn(value).some(({ named }) => named['dag']?.kind === 'name' && named['dag'].name === dag)
    for (const one of statements) {
      if (one.kind === 'with' && one.items.some(({ value }) => value.kind === 'name' && value.name === dag))
        this.read(one.body)
      else if (one.kind === 'block') this.readNamed(one.body, dag)
      else if (one.kind === 'assign' && isOwn(one.value)) this.#names.set(one.target, this.#evaluate(one.value, ''))
      else if (one.kind === 'expression' && (isOwn(one.value) || this.#isOrder(one.value)))
        this.#evaluate(one.value, '')
    }
  }

  /** Airflow 3's `@asset`: a DAG of one task that produces an asset with its function's name. */
  readAsset(one: PyFunction): void {
    const { id, call, sqlFile } = this.#parts
    const uri = textOf(call?.named['uri'], this.#scope)
    const task = airflowTask({ id: one.name, operator: '@asset', call, made: one, scope: this.#scope, sqlFile })
    this.#tasks.set(one.name, { ...task, outlets: [...new Set([...task.outlets, uri ?? id])] })
  }

  dag(): AirflowDag {
    const { id, file, call, doc } = this.#parts
    const named = call?.named ?? {}
    const defaults = entriesOf(named['default_args'], this.#scope)
    return {
      id,
      file,
      schedule: scheduleOf(named['schedule'] ?? named['schedule_interval'] ?? named['timetable'], this.#scope),
      owner: textOf(named['owner'] ?? defaults.get('owner'), this.#scope),
      about: textOf(named['description'], this.#scope) ?? textOf(named['doc_md'], this.#scope) ?? doc,
      tags: itemsOf(resolved(named['tags'], this.#scope)).flatMap((tag) => textOf(tag, this.#scope) ?? []),
      tasks: [...this.#tasks.values()],
      edges: [...this.#edges.values()],
    }
  }

  #assign(target: string, value: PyExpression, group: string): void {
    if (this.#own.has(target)) this.#twice.add(target)
    if (this.#twice.has(target)) this.#own.set(target, { kind: 'other', text: target })
    else this.#own.set(target, value)
    this.#names.set(target, this.#evaluate(value, group))
  }

  #isOrder(value: PyExpression): boolean {
    const known = (one: PyExpression): boolean =>
      itemsOf(one).some((item) => item.kind === 'name' && this.#names.has(item.name))
    if (value.kind === 'chain') return value.operands.some(known)
    return value.kind === 'call' && (value.given.some(known) || this.#names.has(value.callee.split('.')[0]!))
  }

  #readFunction(one: PyFunction, group: string): void {
    if (isTaskFunction(one)) this.#functions.set(one.name, one)
    else if (one.decorators.some((mark) => lastName(nameOf(mark)) === 'task_group'))
      this.read(one.body, `${group}${one.name}.`)
  }

  /** The tasks that an expression refers to; tasks that it creates are recorded as a side effect. */
  #evaluate(value: PyExpression, group: string): readonly string[] {
    if (value.kind === 'name') return this.#names.get(value.name) ?? this.#names.get(value.name.split('.')[0]!) ?? []
    if (value.kind === 'list') return value.items.flatMap((item) => this.#evaluate(item, group))
    if (value.kind === 'dictionary') return value.entries.flatMap(([, inner]) => this.#evaluate(inner, group))
    if (value.kind === 'chain') return this.#order(value.operands, value.operators, group)
    return value.kind === 'call' ? this.#call(value, group) : []
  }

  #order(operands: readonly PyExpression[], operators: readonly string[], group: string): readonly string[] {
    const tasks = operands.map((operand) => this.#evaluate(operand, group))
    for (const [i, operator] of operators.entries()) {
      if (operator === '>>') this.#link(tasks[i]!, tasks[i + 1]!)
      else if (operator === '<<') this.#link(tasks[i + 1]!, tasks[i]!)
    }
    return tasks.at(-1) ?? []
  }

  #link(before: readonly string[], after: readonly string[]): void {
    const seconds = new Set(after)
    for (const first of new Set(before))
      for (const second of seconds) {
        if (this.#edges.size >= MOST_EDGES) return
        if (first !== second) this.#edges.set(`${first} ${second}`, [first, second])
      }
  }

  #call(call: PyCall, group: string): readonly string[] {
    const known = this.#made.get(call)
    if (known !== undefined) return known
    const name = lastName(call.callee)
    const object = call.callee.includes('.') ? (this.#names.get(call.callee.slice(0, -name.length - 1)) ?? []) : []
    const given = [...call.given, ...Object.values(call.named)].map((one) => this.#evaluate(one, group))
    if (name === 'set_upstream') this.#link(given.flat(), object)
    else if (name === 'set_downstream') this.#link(object, given.flat())
    else if (name === 'cross_downstream') this.#link(given[0] ?? [], given[1] ?? [])
    else if (name === 'chain') this.#chain(call.given, given)
    else return this.#task(call, group, given.flat())
    return []
  }

  /** Adjacent lists of the same length are linked pair by pair. */
  #chain(given: readonly PyExpression[], tasks: readonly (readonly string[])[]): void {
    for (let i = 1; i < tasks.length; i++) {
      const [before, after] = [tasks[i - 1]!, tasks[i]!]
      const arePairs = given[i - 1]!.kind === 'list' && given[i]!.kind === 'list' && before.length === after.length
      if (arePairs) for (const [at, first] of before.entries()) this.#link([first], [after[at]!])
      else this.#link(before, after)
    }
  }

  #task(call: PyCall, group: string, upstream: readonly string[]): readonly string[] {
    // `Operator.partial(…).expand(…)`, `extract.override(…)()`, `extract.expand(…)`
    const chain = callsOn(call)
    const named = Object.assign({}, ...chain.map((one) => one.named)) as PyCall['named']
    const first = chain.at(-1)!.callee.replace(/\.(?:partial|expand|expand_kwargs|override|map)$/, '')
    const made = this.#functions.get(first)
    const mark = made?.decorators.find((one) => isTaskMark(one))
    const marked = mark?.kind === 'call' ? { ...mark.named, ...named } : named
    const id = patternOf(marked['task_id'], this.#scope)?.text ?? made?.name
    if (id === undefined) return upstream
    const full = `${group}${id}`
    const operator = made === undefined ? lastName(first) : `@${nameOf(mark!)}`
    const whole = { ...call, named: marked }
    const { sqlFile } = this.#parts
    this.#tasks.set(full, airflowTask({ id: full, operator, call: whole, made, scope: this.#scope, sqlFile }))
    this.#link(upstream, [full])
    this.#made.set(call, [full])
    return [full]
  }
}

// Two adjacent lists of a thousand tasks make a million pairs.
const MOST_EDGES = 10_000

/** A call and the calls it is chained to, last first: b, a for `a(…).b(…)`. */
function callsOn(call: PyCall): readonly PyCall[] {
  const found: PyCall[] = []
  for (let at: PyExpression | undefined = call; at?.kind === 'call'; at = at.on) found.push(at)
  return found
}

const isTaskMark = (value: PyExpression): boolean => /^(?:[\w.]+\.)?task(?:\.\w+)?$/.test(nameOf(value))
const isTaskFunction = (one: PyFunction): boolean => one.decorators.some(isTaskMark)

function scheduleOf(value: PyExpression | undefined, scope: PyScope): string | undefined {
  const found = resolved(value, scope)
  if (found === undefined || found.kind === 'name') return undefined
  if (found.kind === 'constant') return found.text === 'None' ? 'started by hand' : undefined
  const assets = itemsOf(found).flatMap((item) => assetName(item, scope) ?? [])
  if (assets.length > 0) return `when ${assets.join(' and ')} changes`
  return textOf(found, scope) ?? (found.kind === 'call' || found.kind === 'other' ? found.text : undefined)
}
