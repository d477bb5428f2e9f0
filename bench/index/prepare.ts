/**
 * Prepares the bench data in a separate process: a child's peak memory starts at that of its parent process. Arguments:
 * folder, files, files of real text. Prints the result as JSON.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { writeCorpus, writeRealCorpus } from './corpus.ts'
import { buildPackage } from './package.ts'

const [place, files, real] = process.argv.slice(2) as [string, string, string]
for (const folder of ['corpus', 'real', 'control']) mkdirSync(join(place, folder))
const made = {
  ken: await buildPackage(join(place, 'package')),
  bytes: writeCorpus(join(place, 'corpus'), Number(files)),
  real: writeRealCorpus(join(place, 'real'), Number(real)),
}
process.stdout.write(JSON.stringify(made))
