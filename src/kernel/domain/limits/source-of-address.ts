/**
 * Key for counting clients by address. The owner of one IPv6 address has the whole 64-bit network around it, and could
 * otherwise appear as a new client each time.
 */
export function sourceOfAddress(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped !== null) return mapped[1]!
  if (!address.includes(':')) return address
  const [plain = ''] = address.toLowerCase().split('%')
  const [head = '', tail = ''] = plain.split('::')
  const groups = (text: string): readonly string[] => text.split(':').filter((group) => group !== '')
  const missing = Math.max(0, 8 - groups(head).length - groups(tail).length)
  const whole = plain.includes('::')
    ? [...groups(head), ...Array.from({ length: missing }, () => '0'), ...groups(tail)]
    : groups(plain)
  return `${whole
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`
}
