/** What a user service runs, and with which environment. */
export interface ServiceCommand {
  readonly words: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  /** Where a service manager without a log of its own writes what it says. */
  readonly log: string
}

/** A file that does not begin so is somebody else's. */
export const UNIT_MARK = '# Written by `ken watch --daemon`; `ken watch --stop` removes it.\n'

/** A unit of systemd's user manager. */
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

/** As systemd reads it: percent signs stand for facts of its own, and backslashes for other characters. */
const quoted = (text: string): string =>
  `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%').replaceAll('\n', '\\n')}"`

// Without two hyphens in a row, which would end the comment.
export const PLIST_MARK = '<!-- Written by Ken; ken watch with its option stop removes it. -->'

/** An agent of launchd. */
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
