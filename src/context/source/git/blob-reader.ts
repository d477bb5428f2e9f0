import { AppError } from '../../../kernel/domain/errors.ts'
import { startGit } from '../../../kernel/system/git.ts'

export interface BlobReader {
  read(blob: string): Promise<Buffer>
  close(): void
}

interface Waiting {
  resolve(bytes: Buffer): void
  reject(error: Error): void
}

/** One `git cat-file --batch` for all files: one process per file would take minutes for a large repository. */
export async function openBlobReader(clone: string): Promise<BlobReader> {
  const child = (await startGit({ bare: clone }, ['cat-file', '--batch']))!
  const waiting: Waiting[] = []
  let rest: Buffer = Buffer.alloc(0)
  const fail = (): void => {
    for (const { reject } of waiting.splice(0))
      reject(new AppError('unavailable', 'git stopped while files were read.', { hint: 'Run it again.' }))
  }
  child.on('error', fail).on('close', fail)
  child.stderr.resume()
  child.stdin.on('error', fail)
  child.stdout.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk])
    for (let answer = firstAnswer(rest); answer !== undefined; answer = firstAnswer(rest)) {
      rest = rest.subarray(answer.end)
      const next = waiting.shift()
      if (answer.bytes === undefined)
        next?.reject(new AppError('unavailable', 'git does not have a file that it listed.', { hint: 'Run it again.' }))
      else next?.resolve(answer.bytes)
    }
  })
  return {
    read: (blob) =>
      new Promise((resolve, reject) => {
        waiting.push({ resolve, reject })
        if (child.exitCode === null) child.stdin.write(`${blob}\n`)
        else fail()
      }),
    close: () => void child.stdin.end(),
  }
}

/** `<id> blob <size>\n<bytes>\n`, or `<id> missing\n`. */
function firstAnswer(buffer: Buffer): { readonly bytes: Buffer | undefined; readonly end: number } | undefined {
  const newline = buffer.indexOf(0x0a)
  if (newline < 0) return undefined
  const size = / blob (\d+)$/.exec(buffer.toString('latin1', 0, newline))?.[1]
  if (size === undefined) return { bytes: undefined, end: newline + 1 }
  const end = newline + 1 + Number(size) + 1
  return buffer.length < end ? undefined : { bytes: Buffer.from(buffer.subarray(newline + 1, end - 1)), end }
}
