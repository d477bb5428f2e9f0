export interface SlackNames {
  user(id: string): string | undefined
  channel(id: string): string | undefined
}

/** Converts Slack's mrkdwn to Markdown and resolves ids to names. Code is kept unchanged. */
export function mrkdwnToMarkdown(text: string, names: SlackNames): string {
  return text
    .split(/(```[^`]*(?:`(?!``)[^`]*)*```|`[^`\n]+`)/)
    .map((part, i) =>
      i % 2 === 1 ? plain(fenced(part)) : plain(emphasis(part).replaceAll(REFERENCE, reference(names))),
    )
    .join('')
}

const REFERENCE = /<([^<>\n]+)>/g

/** `<@U1>`, `<#C1|general>`, `<!here>`, `<!date^1^{date}|1 May>`, `<https://a.example|there>`. */
const reference =
  (names: SlackNames) =>
  (whole: string, inside: string): string => {
    const bar = inside.indexOf('|')
    const [target, label] = bar < 0 ? [inside, ''] : [inside.slice(0, bar), inside.slice(bar + 1)]
    if (target.startsWith('@')) return `@${names.user(target.slice(1)) ?? (label || target.slice(1))}`
    if (target.startsWith('#')) return `#${names.channel(target.slice(1)) ?? (label || target.slice(1))}`
    if (target.startsWith('!')) return label || `@${target.slice(1).split('^')[0]}`
    if (/^(?:mailto|tel):/.test(target)) return label || target.slice(target.indexOf(':') + 1)
    if (!/^https?:\/\//.test(target)) return whole
    return label === '' || label === target ? `<${target}>` : `[${label}](${target})`
  }

const emphasis = (text: string): string =>
  text
    .replaceAll(/(^|[\s(])\*([^*\n]+)\*(?=$|[\s).,!?:;])/g, '$1**$2**')
    .replaceAll(/(^|[\s(])~([^~\n]+)~(?=$|[\s).,!?:;])/g, '$1~~$2~~')

/** Puts the fence on separate lines. */
const fenced = (code: string): string =>
  code.startsWith('```') ? `\n\`\`\`\n${code.slice(3, -3).replace(/^\n/, '').replace(/\n$/, '')}\n\`\`\`\n` : code

const plain = (text: string): string =>
  text.includes('&') ? text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&') : text
