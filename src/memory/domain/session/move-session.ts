/** Session file with another workspace; everything else is unchanged. */
export const moveSession = (markdown: string, workspace: string): string =>
  markdown.replace(/^(---\n(?:[a-z_]+: .*\n)*?workspace: )".*"\n/, (_, head: string) => `${head}"${workspace}"\n`)
