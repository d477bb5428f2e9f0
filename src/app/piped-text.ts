import { fstatSync } from 'node:fs'
import { AppError } from '../kernel/domain/errors.ts'
import { plainText } from '../kernel/domain/trust/visible.ts'

const LARGEST = 1024 * 1024
// In milliseconds; a program started without a terminal may have an open input that never gets data.
const PATIENCE = 3_000

/** Piped input; empty at a terminal, and if nothing arrives for a while without an end. */
export async function pipedText(
  stdin: NodeJS.ReadStream & { readonly fd: number },
  { patience = PATIENCE, late = () => {} }: { readonly patience?: number; late?(): void } = {},
): Promise<string> {
  if (stdin.isTTY || !isReadable(stdin.fd)) return ''
  const chunks: Buffer[] = []
  let size = 0
  let timer: NodeJS.Timeout | undefined
  const first = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), patience)
  })
  const read = (async () => {
    for await (const chunk of stdin) {
      clearTimeout(timer)
      size += (chunk as Buffer).length
      if (size > LARGEST)
        throw new AppError('invalid_input', 'Standard input is longer than 1 MB.', {
          hint: 'Pipe in the part that the question is about.',
        })
      chunks.push(chunk as Buffer)
    }
    return 'ended' as const
  })()
  const outcome = await Promise.race([read, first]).finally(() => clearTimeout(timer))
  if (outcome === 'late') {
    read.catch(() => {})
    stdin.destroy()
    late()
  }
  return plainText(Buffer.concat(chunks).toString('utf8')).trim()
}

/** A file, a pipe or a socket; `/dev/null` has no content. */
function isReadable(fd: number): boolean {
  try {
    const stat = fstatSync(fd)
    return stat.isFIFO() || stat.isFile() || stat.isSocket()
  } catch {
    return false
  }
}
