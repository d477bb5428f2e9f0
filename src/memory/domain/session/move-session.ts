/** The file of a session as it reads in another workspace; everything else in it stays. */
export const moveSession = (markdown: string, workspace: string): string =>
  markdown.replace(/^(---\n(?:[a-z_]+: .*\n)*?workspace: )".*"\n/, (_, head: string) => `${head}"${workspace}"\n`)
