/** How `ken watch` stands as a service of the user. */
export interface ServiceState {
  /** What runs it: the service manager of the system, or nobody, so that it ends with the machine. */
  readonly manager: 'systemd' | 'launchd' | 'none'
  readonly isInstalled: boolean
  readonly isRunning: boolean
  readonly pid: number | undefined
  /** The file that the service manager reads, or the log of the process. */
  readonly place: string
}

/** `ken watch` in the background, for one home of Ken's. */
export interface UserService {
  /** Starts it, and has it started with every login where the system can; the same as before when it runs already. */
  start(): Promise<ServiceState>
  /** Ends it and takes away what `start` wrote; false when there was nothing. */
  stop(): Promise<boolean>
  state(): Promise<ServiceState>
}
