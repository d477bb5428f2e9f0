/** Hands a file to whoever reads the page. */
export function download(content: Blob, name: string): void {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // Some browsers begin to read a moment after the click.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

/** What an operation sends as base64, as the bytes it stands for. */
export const blobOf = (base64: string, type: string): Blob =>
  new Blob([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], { type })
