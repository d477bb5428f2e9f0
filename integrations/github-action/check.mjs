// Holds a pull request against the record and runs the tests; says what came of it as annotations, a summary of the job,
// outputs and the text of a comment. Nothing leaves the runner from here but what `ken test` asks of its models.
import { spawn, spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { randomUUID } from 'node:crypto'
import { pathToFileURL } from 'node:url'
import { commentOf, isWorthSaying, summaryOf } from './report.mjs'
import { readTests } from './test-results.mjs'

const FAILURES = ['returns', 'governed', 'drift', 'any', 'regression', 'failure', 'nothing']

/** @param {Readonly<Record<string, string | undefined>>} env */
export async function check(env) {
  // Of an earlier use in the same job.
  rmSync(join(temporaryOf(env), 'comment.json'), { force: true })
  const wanted = readInputs(env)
  const desk = openDesk(env, wanted)
  const notes = []
  const base = baseOf(desk, wanted, notes)
  const guard = wanted.guard === 'false' || base === undefined ? undefined : await runGuard(desk, wanted, base, notes)
  const tests = wanted.tests === 'false' ? undefined : await runTests(desk, wanted, base, notes)
  const isFailed = isFailing(wanted.failOn, guard, tests)
  const found = { guard, tests, notes, isFailed }
  writeFileSync(
    join(desk.folder, 'comment.json'),
    JSON.stringify({ body: commentOf(found), isWorthIt: isWorthSaying(found) }),
  )
  if (env.GITHUB_STEP_SUMMARY) appendFileSync(env.GITHUB_STEP_SUMMARY, summaryOf(found))
  for (const line of [...(guard?.annotations ?? []), ...testAnnotations(tests)]) console.log(line)
  for (const note of notes) console.log(`::notice::${escapeMessage(note)}`)
  return {
    result: isFailed ? 'failed' : 'passed',
    findings: guard?.findings.length ?? 0,
    warnings: guard?.findings.filter(({ severity }) => severity === 'warning').length ?? 0,
    passed: tests?.total.passed ?? 0,
    failed: tests?.total.failed ?? 0,
    broken: tests?.total.broken ?? 0,
    regressions: tests?.changes?.regressions.length ?? 0,
    report: tests?.report ?? '',
  }
}

function isFailing(failOn, guard, tests) {
  const has = (what) => failOn.includes(what)
  // A decision that the change itself supersedes is for the reviewer; what an import only inferred never fails.
  const open = (guard?.findings ?? []).filter((each) => !each.superseded_by && !each.inferred)
  if (open.some(({ kind }) => has('any') || (has(kind) && kind !== 'touched'))) return true
  const isDrifted = (guard?.drifted ?? []).some((each) => each.level === 'contradicts' && !each.superseded_by)
  if (isDrifted && (has('any') || has('drift'))) return true
  if (tests === undefined || has('nothing')) return false
  const isRed = tests.total.failed + tests.total.broken > 0 || tests.isCut
  if (has('failure') && isRed) return true
  if (!has('regression')) return false
  // What cannot be compared has to pass.
  return tests.changes === undefined ? isRed : tests.changes.regressions.length > 0 || tests.brokenFiles.length > 0 || tests.isCut
}

function readInputs(env) {
  const given = (name) => (env[`KEN_ACTION_${name}`] ?? '').trim()
  const list = (name) =>
    given(name)
      .split(/[\n,]/)
      .map((one) => one.trim())
      .filter((one) => one !== '')
  const one = (name, words, other) => {
    const value = given(name).toLowerCase() || other
    if (!words.includes(value)) throw new Error(`${inputName(name)} is one of ${words.join(', ')}, not "${value}".`)
    return value
  }
  const number = (name, isFit) => {
    const value = given(name)
    if (value !== '' && !isFit(Number(value))) throw new Error(`${inputName(name)} is a number, not "${value}".`)
    return value
  }
  const failOn = list('FAIL_ON').map((each) => each.toLowerCase())
  const odd = failOn.find((each) => !FAILURES.includes(each))
  if (odd !== undefined) throw new Error(`fail-on knows ${FAILURES.join(', ')}, not "${odd}".`)
  return {
    version: given('VERSION'),
    folder: given('FOLDER') || '.',
    base: given('BASE'),
    guard: one('GUARD', ['true', 'false', 'auto'], 'auto'),
    tests: one('TESTS', ['true', 'false', 'auto'], 'auto'),
    models: list('MODELS'),
    threads: number('THREADS', Number.isSafeInteger),
    runs: number('RUNS', Number.isSafeInteger),
    maxCost: number('MAX_COST', Number.isFinite),
    tags: list('TAGS'),
    baseline: given('BASELINE') || 'committed',
    failOn: failOn.length === 0 ? ['returns', 'regression'] : failOn,
  }
}

const inputName = (name) => name.toLowerCase().replaceAll('_', '-')

/** Where things are, and how git and Ken are called there. */
function openDesk(env, { folder, version }) {
  const workspace = realpathSync(env.GITHUB_WORKSPACE ?? '.')
  const named = resolve(workspace, folder)
  const isInside = (path) => path === workspace || path.startsWith(workspace + sep)
  if (!isInside(named) || (existsSync(named) && !isInside(realpathSync(named))))
    throw new Error(`working-directory "${folder}" is outside of the repository.`)
  if (!existsSync(named)) throw new Error(`There is no folder "${folder}" in the repository.`)
  const cwd = realpathSync(named)
  const temporary = temporaryOf(env)
  const event = eventOf(env)
  if (env.GITHUB_EVENT_NAME === 'pull_request_target' && isFork(event))
    throw new Error('On pull_request_target a fork would be given the keys of this repository: use pull_request.')
  // What tells the runner something, and what the job may do on GitHub, is none of Ken's business.
  const safe = Object.fromEntries(Object.entries(env).filter(([name]) => !WITHHELD.test(name)))
  const ken = kenCommand(env, version, { temporary, safe })
  return {
    cwd,
    folder: temporary,
    event,
    isFork: isFork(event),
    git: (args) => spawnSync('git', args, { cwd, env: safe, encoding: 'utf8', maxBuffer: MOST_OUTPUT }),
    ken: (args, at = cwd) => runKen([...ken, ...args], { cwd: at, env: { ...safe, KEN_TELEMETRY: '0', NO_COLOR: '1' } }),
  }
}

const WITHHELD = /^(?:GITHUB_(?:TOKEN|ENV|PATH|OUTPUT|STATE|STEP_SUMMARY)|(?:ACTIONS|KEN_ACTION|INPUT)_.*)$/

function temporaryOf(env) {
  const folder = join(resolve(env.RUNNER_TEMP ?? '.'), 'ken-action')
  mkdirSync(folder, { recursive: true })
  return folder
}

const eventOf = (env) =>
  env.GITHUB_EVENT_PATH && existsSync(env.GITHUB_EVENT_PATH) ? JSON.parse(readFileSync(env.GITHUB_EVENT_PATH, 'utf8')) : {}

function isFork({ pull_request: pull }) {
  const [head, base] = [pull?.head?.repo?.full_name, pull?.base?.repo?.full_name]
  return pull !== undefined && head !== base
}

const MOST_OUTPUT = 64 * 1024 * 1024

/** The Ken of this checkout, or of the registry: by default of the version that the action is of. */
function kenCommand(env, version, { temporary, safe }) {
  const own = resolve(env.GITHUB_ACTION_PATH ?? join(import.meta.dirname, '..', '..'))
  if (version === 'local') return [process.execPath, join(own, 'bin', 'ken.js')]
  const { name, version: ours } = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8'))
  const wanted = version || ours
  if (!/^[\w.^~-]{1,60}$/.test(wanted)) throw new Error(`"${wanted}" is no version of ${name}.`)
  const prefix = join(temporary, 'npm')
  // Away from the repository, whose .npmrc may name any registry.
  const installed = spawnSync(
    'npm',
    ['install', '--prefix', prefix, '--no-audit', '--no-fund', '--no-save', `${name}@${wanted}`],
    { cwd: temporary, env: safe, encoding: 'utf8', shell: process.platform === 'win32' },
  )
  if (installed.status !== 0)
    throw new Error(`${name}@${wanted} could not be installed: ${lastLine(installed.stderr ?? '')}`)
  return [process.execPath, join(prefix, 'node_modules', name, 'bin', 'ken.js')]
}

/** What it says on the way is shown as it comes, and none of it is taken for a command to the runner. */
function runKen([command, ...args], options) {
  const token = randomUUID()
  console.log(`::group::ken ${escapeMessage(args.slice(1).join(' '))}`)
  console.log(`::stop-commands::${token}`)
  return new Promise((done, fail) => {
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    const chunks = []
    let errors = ''
    child.stdout.on('data', (chunk) => chunks.push(chunk))
    child.stderr.on('data', (chunk) => {
      errors = (errors + chunk).slice(-100_000)
      process.stdout.write(chunk)
    })
    child.on('error', fail)
    child.on('close', (status) => {
      console.log(`\n::${token}::`)
      console.log('::endgroup::')
      done({ status, stdout: Buffer.concat(chunks).toString('utf8'), stderr: errors })
    })
  })
}

/** The commit that the change is compared with; undefined where there is none. */
function baseOf(desk, { base, guard }, notes) {
  const { pull_request: pull, before } = desk.event
  const names = [
    base,
    ...(base === '' && pull?.base ? [`refs/remotes/origin/${pull.base.ref}`, pull.base.sha] : []),
    ...(base === '' && pull === undefined && before ? [before] : []),
  ].filter((name) => typeof name === 'string' && name !== '' && !/^0+$/.test(name))
  for (const name of names) {
    const found = desk.git(['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`])
    if (found.status === 0) return found.stdout.trim()
  }
  if (names.length > 0)
    throw new Error(`The commit to compare with (${names[0]}) is not in this checkout: give actions/checkout "fetch-depth: 0".`)
  if (guard !== 'false') notes.push('There is no base to compare with: the guard did not run.')
  return undefined
}

async function runGuard(desk, { guard }, base, notes) {
  const run = await desk.ken(['pull-request', '--base', base, '--format', 'json'])
  if (run.status === 0) {
    const { findings, drift, files, comment, annotations, project, notes: left } = JSON.parse(run.stdout)
    if (project.id === '' && guard === 'true') throw new Error('The base has no record, so nothing can be checked against it.')
    // A comment has its notes.
    if (comment === '') notes.push(...left)
    if (comment === '' && project.id === '') return undefined
    return { findings, drifted: drift.caused, files, comment, annotations }
  }
  // Nothing is recorded here, which a project of tests alone need not.
  if (run.status === NOT_FOUND && guard === 'auto') {
    notes.push('There is no record here: the guard did not run.')
    return undefined
  }
  throw new Error(`ken pull-request failed: ${errorOf(run)}`)
}

const NOT_FOUND = 8

async function runTests(desk, wanted, base, notes) {
  const listed = await desk.ken(['test', 'list', '--json'])
  const { cases = [], broken = [], folder = '' } = readJson(listed.stdout) ?? {}
  if (cases.length + broken.length === 0) {
    const why = errorOf(listed) ?? 'There are no tests here.'
    if (wanted.tests === 'true') throw new Error(why)
    notes.push('There are no tests here that could be run.')
    return undefined
  }
  const prefix = desk.git(['rev-parse', '--show-prefix']).stdout.trim()
  const baseline = await baselineFile(desk, wanted, { base, prefix, folder, notes })
  const run = await runSuite(desk, wanted, notes, { baseline })
  return run && readTests(run, { cases, prefix: `${prefix}${folder}/` })
}

/** What `ken test` answers, whether its cases passed or not. */
async function runSuite(desk, wanted, notes, { baseline, cwd = desk.cwd }) {
  const flags = [
    ...wanted.models.map((model) => `--model=${model}`),
    ...wanted.tags.map((tag) => `--tag=${tag}`),
    ...(wanted.threads === '' ? [] : [`--threads=${wanted.threads}`]),
    ...(wanted.runs === '' ? [] : [`--runs=${wanted.runs}`]),
    ...(wanted.maxCost === '' ? [] : [`--max-cost=${wanted.maxCost}`]),
    ...(baseline === undefined ? [] : [`--baseline=${baseline}`]),
  ]
  const run = await desk.ken(['test', '--json', ...flags], cwd)
  const answer = readJson(run.stdout)
  if (answer !== undefined) return answer
  if (!desk.isFork) throw new Error(`ken test failed: ${errorOf(run)}`)
  // A fork is given no key of a model: what needs none is run all the same.
  const alone = await desk.ken(['test', '--json', ...MODEL_FREE, ...flags.filter((one) => !one.startsWith('--model='))], cwd)
  notes.push('Cases that ask a model were not run: a fork has no key for one.')
  return readJson(alone.stdout)
}

const MODEL_FREE = ['--kind=retrieval', '--kind=decision', '--kind=context']

/** What the run is compared with: from the base, so that a change cannot lower its own bar. */
async function baselineFile(desk, wanted, { base, prefix, folder, notes }) {
  const { baseline } = wanted
  if (baseline === 'none') return undefined
  if (baseline !== 'committed' && baseline !== 'run') return resolve(desk.cwd, baseline)
  if (base === undefined) return undefined
  if (baseline === 'run') return runOfBase(desk, wanted, { base, prefix, notes })
  const text = desk.git(['cat-file', 'blob', `${base}:${prefix}${folder}/baseline.json`])
  if (text.status !== 0) {
    notes.push(`The base has no ${folder}/baseline.json, so there is nothing to compare the tests with.`)
    return undefined
  }
  const file = join(desk.folder, 'baseline.json')
  writeFileSync(file, text.stdout)
  return file
}

/** The tests of the base with the code of the base, in a working tree of its own. */
async function runOfBase(desk, wanted, { base, prefix, notes }) {
  const tree = join(desk.folder, 'base')
  const made = desk.git(['worktree', 'add', '--detach', '--force', tree, base])
  if (made.status !== 0) throw new Error(`The base cannot be checked out: ${lastLine(made.stderr)}`)
  try {
    const cwd = join(tree, prefix)
    const run = existsSync(cwd) ? await runSuite(desk, wanted, [], { cwd }).catch(() => undefined) : undefined
    const written = run?.outputs.find((name) => name.endsWith('.json'))
    if (written === undefined) {
      notes.push('The base has no tests that could be run, so there is nothing to compare with.')
      return undefined
    }
    const file = join(desk.folder, 'baseline.json')
    writeFileSync(file, readFileSync(resolve(cwd, written)))
    return file
  } finally {
    desk.git(['worktree', 'remove', '--force', tree])
    rmSync(tree, { recursive: true, force: true })
  }
}

function readJson(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** One line of what went wrong. */
function errorOf({ stderr }) {
  const from = stderr.indexOf('{')
  const { error } = readJson(from < 0 ? '' : stderr.slice(from)) ?? {}
  return error ? [error.message, error.hint].filter(Boolean).join(' ') : lastLine(stderr) || undefined
}

const lastLine = (text) => text.trim().split('\n').at(-1) ?? ''

// Workflow commands: a line break would end one and begin another.
const escapeMessage = (text) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
const escapeProperty = (text) => escapeMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

const testAnnotations = (tests) =>
  (tests?.failures ?? [])
    .slice(0, 50)
    .map(
      ({ name, file, line, reason }) =>
        `::error file=${escapeProperty(file)},line=${line},title=${escapeProperty(name)}::${escapeMessage(reason || 'failed')}`,
    )

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    const outputs = await check(process.env)
    if (process.env.GITHUB_OUTPUT)
      appendFileSync(process.env.GITHUB_OUTPUT, Object.entries(outputs).map(([name, value]) => `${name}=${value}\n`).join(''))
  } catch (error) {
    console.log(`::error::${escapeMessage(error.message)}`)
    process.exitCode = 1
  }
}
