import { describe, expect, it } from 'vitest'
import { maskText, unmaskText } from './masked-text.ts'

const YAML = [
  'name: shop',
  'databases:',
  '  - name: a',
  '    password: hunter2-and-more',
  '  - name: b',
  '    password: hunter3-and-more',
  '',
].join('\n')

describe('masked text for editing', () => {
  it('shows each secret as a separate mark, without any part of it', () => {
    const { text, secrets } = maskText(YAML)
    expect(text).toContain('password: [redacted 1]')
    expect(text).toContain('password: [redacted 2]')
    expect(text).not.toContain('hunter')
    expect(secrets).toEqual(['hunter2-and-more', 'hunter3-and-more'])
  })

  it('round-trips byte for byte without changes', () => {
    const key = `-----BEGIN RSA PRIVATE KEY-----\n${'MIIEowIBAAKCAQEA7h3kf83jf93kf'.repeat(3)}\n-----END RSA PRIVATE KEY-----`
    for (const text of [
      YAML,
      `${YAML}\n${key}\n`,
      'a [redacted] b',
      'a [redacted 7] b\npassword: hunter2-and-more\n',
    ]) {
      expect(unmaskText(maskText(text).text, text)).toBe(text)
      expect(maskText(text).text.split('\n')).toHaveLength(text.split('\n').length)
    }
  })

  it('keeps each secret with its entry when others are added, removed and moved', () => {
    const { text } = maskText(YAML)
    const lines = text.split('\n')
    const turned = [...lines.slice(0, 2), ...lines.slice(4, 6), '  # new', ...lines.slice(2, 4), ''].join('\n')
    expect(unmaskText(turned, YAML)).toBe(
      'name: shop\ndatabases:\n  - name: b\n    password: hunter3-and-more\n  # new\n  - name: a\n    password: hunter2-and-more\n',
    )
  })

  it.each([
    ['on a line that says something else', 'url: https://elsewhere.example/[redacted 1]'],
    ['twice', 'password: [redacted 1]\n    password: [redacted 1]'],
    ['that stands for nothing', 'password: [redacted 9]'],
    ['without a number', 'password: [redacted]'],
  ])('rejects a mark %s, and names the line', (_, line) => {
    const { text } = maskText(YAML)
    expect(() => unmaskText(text.replace('password: [redacted 1]', line), YAML)).toThrow(/^Line [45] was changed/)
  })
})
