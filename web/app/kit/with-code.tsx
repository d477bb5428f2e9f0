/** A sentence written by Ken, in which text between backticks is code. */
export const WithCode = ({ children }: { children: string }) =>
  children.split('`').map((part, at, parts) => {
    const isCode = at % 2 === 1 && at < parts.length - 1
    return isCode ? <code key={at}>{part}</code> : <span key={at}>{at % 2 === 1 ? `\`${part}` : part}</span>
  })
