import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parse } from 'yaml'

const ROOT = resolve(import.meta.dirname, '../..')

export interface ActionStep {
  readonly name: string
  readonly id?: string
  readonly if?: string
  readonly uses?: string
  readonly run?: string
  readonly shell?: string
  readonly env?: Readonly<Record<string, string>>
  readonly with?: Readonly<Record<string, string>>
}

export interface Action {
  readonly name: string
  readonly description: string
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default?: string }>>
  readonly outputs: Readonly<Record<string, { readonly description: string; readonly value: string }>>
  readonly runs: { readonly using: string; readonly steps: readonly ActionStep[] }
}

export const readAction = (): Action => parse(readFileSync(join(ROOT, 'action.yml'), 'utf8')) as Action

export interface ActionRun {
  readonly succeeded: boolean
  readonly outputs: Readonly<Record<string, string>>
  readonly log: string
  readonly summary: string
}

export interface ActionJob {
  /** The checkout. */
  readonly workspace: string
  readonly inputs: Readonly<Record<string, string>>
  /** The payload of the event. */
  readonly event: object
  readonly api: string
  readonly env?: Readonly<Record<string, string | undefined>>
}

/**
 * Runs the steps of action.yml like the runner: expressions are filled in, each script runs in bash, outputs and the
 * summary are files; a failure skips every later step without `always()`. Other actions are skipped.
 */
export async function runAction({ workspace, inputs, event, api, env = {} }: ActionJob): Promise<ActionRun> {
  const action = readAction()
  const temporary = mkdtempSync(join(tmpdir(), 'ken-runner-'))
  const file = (name: string): string => join(temporary, name)
  const steps: Record<string, Record<string, string>> = {}
  const given = Object.fromEntries(
    Object.entries(action.inputs).map(([name, { default: value = '' }]) => [
      name,
      inputs[name] ?? value.replace('${{ github.token }}', 'job-token'),
    ]),
  )
  const filled = (text: string): string =>
    text.replaceAll(/\$\{\{\s*([\w.-]+)\s*\}\}/g, (_, path: string) => {
      const [root, first = '', , last = ''] = path.split('.')
      if (root === 'inputs') return given[first] ?? ''
      if (root === 'steps') return steps[first]?.[last] ?? ''
      throw new Error(`the runner knows no ${path}`)
    })
  let succeeded = true
  let log = ''
  writeFileSync(file('event.json'), JSON.stringify(event))
  writeFileSync(file('summary.md'), '')
  try {
    for (const [at, step] of action.runs.steps.entries()) {
      if (step.run === undefined || (!succeeded && step.if !== 'always()')) continue
      writeFileSync(file('script.sh'), step.run)
      writeFileSync(file(`output-${at}`), '')
      const ran = await inBash(file('script.sh'), workspace, {
        PATH: process.env['PATH'],
        HOME: file('home'),
        ...env,
        CI: 'true',
        GITHUB_ACTIONS: 'true',
        GITHUB_ACTION_PATH: ROOT,
        GITHUB_API_URL: api,
        GITHUB_EVENT_NAME: 'pull_request',
        GITHUB_EVENT_PATH: file('event.json'),
        GITHUB_OUTPUT: file(`output-${at}`),
        GITHUB_REPOSITORY: 'acme/shop',
        GITHUB_STEP_SUMMARY: file('summary.md'),
        GITHUB_WORKSPACE: workspace,
        RUNNER_TEMP: temporary,
        ...Object.fromEntries(Object.entries(step.env ?? {}).map(([name, value]) => [name, filled(value)])),
      })
      log += ran.log
      succeeded &&= ran.status === 0
      steps[step.id ?? `step-${at}`] = Object.fromEntries(
        readFileSync(file(`output-${at}`), 'utf8')
          .split('\n')
          .filter((line) => line.includes('='))
          .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
      )
    }
    const outputs = Object.entries(action.outputs).map(([name, { value }]) => [name, filled(value)] as const)
    const summary = existsSync(file('summary.md')) ? readFileSync(file('summary.md'), 'utf8') : ''
    return { succeeded, outputs: Object.fromEntries(outputs), log, summary }
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

/** Like the runner for `shell: bash`. */
function inBash(
  script: string,
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<{ readonly status: number | null; readonly log: string }> {
  return new Promise((done, fail) => {
    const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', script], { cwd, env })
    let log = ''
    child.stdout.on('data', (chunk) => (log += chunk))
    child.stderr.on('data', (chunk) => (log += chunk))
    child.on('error', fail)
    child.on('close', (status) => done({ status, log }))
  })
}
