import { AppError } from '../../kernel/domain/errors.ts'

/**
 * Normalises an address for storage and comparison: lower case, trimmed. Only ASCII, so that look-alike addresses are
 * never two people; nothing in it could end a mail header.
 */
export function emailAddress(text: string): string {
  const address = text.trim().toLowerCase()
  if (address.length > 254 || !ADDRESS.test(address))
    throw new AppError('invalid_input', 'That is not an e-mail address.', { hint: 'Write it like name@example.com.' })
  return address
}

export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1)

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const ADDRESS = new RegExp(`^[a-z0-9.!#$%&'*+/=?^_\`{|}~-]{1,64}@${LABEL}(?:\\.${LABEL})+$`)
