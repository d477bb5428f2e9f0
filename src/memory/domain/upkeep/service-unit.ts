/** Command and environment of a user service. */
export interface ServiceCommand {
  readonly words: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  /** Output file for a service manager without logging. */
  readonly log: string
}

/** First line of a unit written by Ken; other files are not Ken's. */
export const UNIT_MARK = '# Written by `ken watch --daemon`; `ken watch --stop` removes it.\n'

export function systemdUnit({ words, environment }: ServiceCommand): string {
  return `${UNIT_MARK}[Unit]
Description=Ken keeps the memory of coding agents fresh

[Service]
ExecStart=${words.map((word) => quoted(word).replaceAll('$', '$$$$')).join(' ')}
${Object.entries(environment)
  .map(([name, value]) => `Environment=${quoted(`${name}=${value}`)}\n`)
  .join('')}Restart=on-failure
RestartSec=30
Nice=10

[Install]
WantedBy=default.target
`
}

/** Quotes text for systemd, which expands percent signs and backslashes. */
const quoted = (text: string): string =>
  `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%').replaceAll('\n', '\\n')}"`

// Contains no two hyphens in a row, which would end the comment.
export const PLIST_MARK = '<!-- Written by Ken; ken watch with its option stop removes it. -->'

export function launchdPlist(label: string, { words, environment, log }: ServiceCommand): string {
  const strings = words.map((word) => `    <string>${escaped(word)}</string>\n`).join('')
  const variables = Object.entries(environment)
    .map(([name, value]) => `    <key>${escaped(name)}</key>\n    <string>${escaped(value)}</string>\n`)
    .join('')
  return `<?xml version="1.0" encoding="UTF-8"?>
${PLIST_MARK}
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${escaped(label)}</string>
  <key>ProgramArguments</key>
  <array>
${strings}  </array>
  <key>EnvironmentVariables</key>
  <dict>
${variables}  </dict>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ProcessType</key>
  <string>Background</string>
  <key>StandardErrorPath</key>
  <string>${escaped(log)}</string>
</dict>
</plist>
`
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
