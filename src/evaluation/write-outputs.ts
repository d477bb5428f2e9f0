import type { ConfigFiles } from '../context/ports/config-files.ts'
import { reportHtml } from './domain/report-html.ts'
import { reportJson } from './domain/report-json.ts'
import { reportJunit } from './domain/report-junit.ts'
import type { RunReport } from './domain/run-report.ts'

/**
 * Writes the results of a run to `outputs` below the tests folder, which excludes itself from the repository: a JSON
 * file per run, and the HTML page and JUnit file of the last run. Returns their paths below `root`. Throws `forbidden`
 * if a clone has turned part of the path into a link.
 */
export async function writeOutputs(
  files: Pick<ConfigFiles, 'writeText'>,
  { root, within }: { readonly root: string; readonly within: string },
  report: RunReport,
): Promise<readonly string[]> {
  const { run } = report.summary
  const stamp = run.startedAt.slice(0, 19).replaceAll(/[^\dT-]/g, '-')
  const texts = [
    ['.gitignore', '*\n'],
    [`${stamp}-${run.id.slice(-6)}.json`, reportJson(report)],
    ['junit.xml', reportJunit(report)],
    ['report.html', reportHtml(report)],
  ] as const
  const paths = texts.map(([name]) => `${within}/outputs/${name}`)
  for (const [index, [, text]] of texts.entries()) await files.writeText(root, paths[index]!, text)
  return paths.slice(1)
}
