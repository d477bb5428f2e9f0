import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { waitForGit } from '../../kernel/system/git-patience.ts'
import { startGit } from '../../kernel/system/git.ts'

/** Reads objects of a repository by id, through one git process that receives only ids. */
export interface ObjectReader {
  /** Results in the order of the ids; undefined for an object that is missing or larger than `most` bytes. */
  read(ids: readonly string[], most: number): Promise<(Buffer | undefined)[]>
  close(): void
}

const ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/

export function openObjectReader(root: string): ObjectReader {
  let child: ChildProcessWithoutNullStreams | undefined
  let answers: Answers | undefined
  let open: Question[] = []
  let working: Promise<void> | undefined
  let isClosed = false

  async function start(): Promise<ChildProcessWithoutNullStreams | undefined> {
    const git = await startGit({ around: root }, ['cat-file', '--batch'])
    if (git === undefined) return undefined
    if (isClosed) git.kill()
    const end = (): void => {
      if (child === git) child = undefined
      answers?.end()
    }
    // If git exits early or cannot start, pending requests end without an answer.
    git.on('error', end)
    git.on('close', end)
    git.stdin.on('error', () => {})
    git.stderr.resume()
    git.stdout.on('data', (bytes: Buffer) => answers?.take(bytes))
    return git
  }

  async function ask(ids: readonly string[], most: number): Promise<(Buffer | undefined)[]> {
    const git = (child ??= await start())
    if (git === undefined) return ids.map(() => undefined)
    const wait = waitForGit(root, 'cat-file')
    const { promise, resolve } = Promise.withResolvers<(Buffer | undefined)[]>()
    answers = new Answers(ids.length, most, resolve)
    const patience = setTimeout(() => {
      wait.end('too slow')
      git.kill('SIGKILL')
    }, wait.left())
    git.stdin.write(ids.map((id) => `${id}\n`).join(''))
    return promise.finally(() => {
      clearTimeout(patience)
      wait.end('answered')
      answers = undefined
    })
  }

  /** Requests made while git is busy are batched: each request costs a process switch. */
  async function work(): Promise<void> {
    while (open.length > 0) {
      const questions = open
      open = []
      let found: readonly (Buffer | undefined)[]
      try {
        found = await ask(
          questions.flatMap(({ ids }) => ids),
          Math.max(...questions.map(({ most }) => most)),
        )
      } catch (thrown) {
        // A rejection of this loop would have no handler and end the process.
        for (const { reject } of questions) reject(thrown)
        continue
      }
      let at = 0
      for (const { ids, most, resolve } of questions) {
        resolve(
          found
            .slice(at, at + ids.length)
            .map((bytes) => (bytes === undefined || bytes.length > most ? undefined : bytes)),
        )
        at += ids.length
      }
    }
  }

  return {
    async read(ids, most) {
      const known = ids.filter((id) => ID.test(id))
      if (known.length === 0) return ids.map(() => undefined)
      const { promise, resolve, reject } = Promise.withResolvers<(Buffer | undefined)[]>()
      open.push({ ids: known, most, resolve, reject })
      working ??= work().finally(() => (working = undefined))
      const found = await promise
      const byId = new Map(known.map((id, i) => [id, found[i]]))
      return ids.map((id) => byId.get(id))
    },
    close() {
      isClosed = true
      child?.stdin.end()
      child?.kill()
    },
  }
}

interface Question {
  readonly ids: readonly string[]
  readonly most: number
  resolve(found: (Buffer | undefined)[]): void
  reject(thrown: unknown): void
}

/**
 * Parses `id type size LF bytes LF`, or `id missing LF`; discards the bytes of objects that are too large as they
 * arrive.
 */
class Answers {
  readonly #found: (Buffer | undefined)[] = []
  readonly #count: number
  readonly #most: number
  readonly #done: (found: (Buffer | undefined)[]) => void
  #header = Buffer.alloc(0)
  #left: number | undefined
  #isKept = false
  #body: Buffer[] = []

  constructor(count: number, most: number, done: (found: (Buffer | undefined)[]) => void) {
    this.#count = count
    this.#most = most
    this.#done = done
  }

  take(bytes: Buffer): void {
    for (let rest = bytes; rest.length > 0;)
      rest = this.#left === undefined ? this.#takeHeader(rest) : this.#takeBody(rest)
    if (this.#found.length === this.#count) this.#done(this.#found)
  }

  end(): void {
    this.#done(this.#found)
  }

  #takeHeader(bytes: Buffer): Buffer {
    const end = bytes.indexOf(LINE_FEED)
    this.#header = Buffer.concat([this.#header, end < 0 ? bytes : bytes.subarray(0, end)])
    if (end < 0) return bytes.subarray(bytes.length)
    const size = / (\d+)$/.exec(this.#header.toString('latin1'))?.[1]
    this.#header = Buffer.alloc(0)
    if (size === undefined) this.#found.push(undefined)
    else {
      this.#isKept = Number(size) <= this.#most
      this.#left = Number(size) + 1
    }
    return bytes.subarray(end + 1)
  }

  #takeBody(bytes: Buffer): Buffer {
    const part = bytes.subarray(0, this.#left)
    // Copied: a view would keep the whole chunk in memory.
    if (this.#isKept) this.#body.push(Buffer.from(part))
    this.#left! -= part.length
    if (this.#left === 0) {
      this.#found.push(this.#isKept ? Buffer.concat(this.#body).subarray(0, -1) : undefined)
      this.#body = []
      this.#left = undefined
    }
    return bytes.subarray(part.length)
  }
}

const LINE_FEED = 10
