/** The four events, with every property they may have. They contain no user text, path, name or argument. */
export type TelemetryEvent =
  | {
      readonly event: 'cli.command_invoked'
      readonly command: string
      readonly success: boolean
      readonly duration_bucket: string
      readonly version: string
      readonly os: string
    }
  | {
      readonly event: 'mcp.tool_called'
      readonly tool_name: string
      readonly transport: string
      readonly success: boolean
      readonly duration_bucket: string
    }
  | {
      readonly event: 'sync.completed'
      readonly snapshot_count: number
      readonly duration_bucket: string
      readonly bytes_bucket: string
    }
  | { readonly event: 'project.created'; readonly schema_version: number }

/** A local log for the user to read. Nothing is sent; write failures are ignored. */
export interface Telemetry {
  readonly enabled: boolean
  readonly location: string
  record(event: TelemetryEvent): void
  /** Oldest first. */
  events(): Promise<readonly Readonly<Record<string, unknown>>[]>
}

export function durationBucket(milliseconds: number): string {
  for (const limit of [10, 50, 100, 500, 1000, 5000]) if (milliseconds < limit) return `<${limit}ms`
  return '>=5s'
}
