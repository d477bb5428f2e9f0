/** State of `ken watch` as a user service. */
export interface ServiceState {
  /** The system's service manager; `none` if there is none, so that the process ends with the machine. */
  readonly manager: 'systemd' | 'launchd' | 'none'
  readonly isInstalled: boolean
  readonly isRunning: boolean
  readonly pid: number | undefined
  /** The file that the service manager reads, or the process log. */
  readonly place: string
}

/** `ken watch` in the background, for one Ken home. */
export interface UserService {
  /** Starts it, and enables it for every login if the system can; no change if it runs already. */
  start(): Promise<ServiceState>
  /** Stops the service and removes what `start` wrote; returns false if there was nothing. */
  stop(): Promise<boolean>
  state(): Promise<ServiceState>
}
