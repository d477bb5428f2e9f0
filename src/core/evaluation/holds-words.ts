/** Whether a text holds these words one after the other, whatever their case and the white space between them. */
export const holdsWords = (text: string, words: string): boolean => plain(text).includes(plain(words))

const plain = (text: string): string => text.normalize('NFC').toLowerCase().replaceAll(/\s+/g, ' ').trim()
