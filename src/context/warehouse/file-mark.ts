import { stat } from 'node:fs/promises'
import { sha256 } from '../../kernel/domain/sha256.ts'

/** Mark of a database file and its log: changes with every write that has reached them. */
export async function fileMark(...paths: readonly string[]): Promise<string> {
  const facts = await Promise.all(
    paths.map((path) =>
      stat(path, { bigint: true }).then(
        ({ mtimeNs, size }) => `${mtimeNs} ${size}`,
        () => '',
      ),
    ),
  )
  return sha256(facts.join('\n')).slice(0, 16)
}
