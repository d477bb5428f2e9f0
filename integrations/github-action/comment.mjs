// Puts what check.mjs found on the pull request: one comment, known by a mark and changed in place. Only GitHub is told
// anything, with the token of the job. A fork's token may not write; it gets the summary of the job alone.
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const MOST_PAGES = 100
const PATIENCE = 30_000

/** @typedef {Readonly<Record<string, string | undefined>>} Environment */

/** @param {Environment} env @param {(line: string) => void} say */
export async function commentDifference(env, say) {
  const outcome = await comment(env, say)
  say(outcome === 'refused' ? `::notice::${SAID.refused}` : SAID[outcome])
  return outcome
}

async function comment(env, say) {
  const place = placeOf(env)
  const file = join(env.RUNNER_TEMP ?? '.', 'ken-action', 'comment.json')
  if (env.KEN_ACTION_COMMENT !== 'true' || place === undefined || !existsSync(file)) return 'none'
  const { body, isWorthIt } = JSON.parse(readFileSync(file, 'utf8'))
  const mark = `<!-- ken:${encodeURIComponent(env.KEN_ACTION_FOLDER || '.')} -->`
  const text = `${mark}\n${body}`
  const api = openApi(env)
  try {
    const own = await findOwn(api, place, mark)
    if (own === undefined && !isWorthIt) return 'none'
    if (!isWorthIt) {
      await api('DELETE', `/repos/${place.repository}/issues/comments/${own.id}`)
      return 'deleted'
    }
    if (own === undefined) {
      await api('POST', `/repos/${place.repository}/issues/${place.number}/comments`, { body: text })
      return 'created'
    }
    if (sameText(own.body, text)) return 'unchanged'
    await api('PATCH', `/repos/${place.repository}/issues/comments/${own.id}`, { body: text })
    return 'updated'
  } catch (error) {
    // What was found is in the summary of the job: no comment is no reason for the job to fail.
    if (error instanceof Refused) return 'refused'
    say(`::warning::The comment could not be written: ${String(error.message).replaceAll(/[%\r\n]/g, ' ')}`)
    return 'failed'
  }
}

/** Line ends are GitHub's own. */
const sameText = (a, b) => a.replaceAll('\r\n', '\n').trim() === b.trim()

/** Undefined where the job is of no pull request. */
function placeOf(env) {
  const event = env.GITHUB_EVENT_PATH && existsSync(env.GITHUB_EVENT_PATH) ? JSON.parse(readFileSync(env.GITHUB_EVENT_PATH, 'utf8')) : {}
  const number = event.pull_request?.number
  const repository = env.GITHUB_REPOSITORY ?? ''
  return Number.isSafeInteger(number) && /^(?!\.)[\w.-]+\/(?!\.{1,2}$)[\w.-]+$/.test(repository) ? { number, repository } : undefined
}

class Refused extends Error {}

function openApi(env) {
  const root = (env.GITHUB_API_URL || 'https://api.github.com').replace(/\/$/, '')
  return async (method, path, body) => {
    const response = await fetch(`${root}${path}`, {
      method,
      headers: {
        accept: 'application/vnd.github+json',
        authorization: `Bearer ${env.KEN_ACTION_TOKEN ?? ''}`,
        'x-github-api-version': '2022-11-28',
        'user-agent': 'ken-action',
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      // The token goes to no other address.
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE),
    })
    if (response.status === 401 || response.status === 403 || response.status === 404) throw new Refused(String(response.status))
    if (!response.ok) throw new Error(`GitHub answered ${response.status} to ${method} ${path}`)
    return { value: response.status === 204 ? undefined : await response.json(), hasNext: /\brel="next"/.test(response.headers.get('link') ?? '') }
  }
}

/** The first comment that begins with the mark and that this very token wrote: anybody may write the mark. */
async function findOwn(api, { repository, number }, mark) {
  const login = await loginOf(api)
  for (let page = 1; page <= MOST_PAGES; page++) {
    const { value, hasNext } = await api('GET', `/repos/${repository}/issues/${number}/comments?per_page=100&page=${page}`)
    const own = value.find((one) => one.user?.login === login && String(one.body ?? '').startsWith(mark))
    if (own !== undefined) return own
    if (!hasNext) return undefined
  }
  return undefined
}

/** A token of a job may not ask who it is. */
const loginOf = (api) =>
  api('GET', '/user').then(
    ({ value }) => value.login,
    () => 'github-actions[bot]',
  )

const SAID = {
  none: 'There is no comment to write.',
  created: 'The difference is commented on the pull request.',
  updated: 'The comment on the pull request is changed.',
  deleted: 'The comment on the pull request is deleted: there is nothing to say any more.',
  unchanged: 'The comment on the pull request says so already.',
  failed: 'There is no comment; the summary of the job has it all.',
  refused:
    'This token may not comment on the pull request: the summary of the job has it all. A job of the same repository needs `permissions: pull-requests: write`.',
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const outcome = await commentDifference(process.env, console.log)
  if (process.env.GITHUB_OUTPUT) appendFileSync(process.env.GITHUB_OUTPUT, `comment=${outcome}\n`)
}
