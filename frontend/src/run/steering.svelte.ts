import { control, type ControlAction, type ControlMore } from '../api'
import { asFault, type Session } from '../record/session.svelte'

/** What an operator tells a run, one order at a time. */
export class Steering {
  isBusy = $state(false)

  constructor(
    private readonly session: Session,
    private readonly csrf: string,
  ) {}

  async order(action: ControlAction, more?: ControlMore): Promise<void> {
    const { session } = this
    this.isBusy = true
    try {
      session.told(await control(session.id, this.csrf, action, more))
      if (session.fault?.kind === 'control') session.fault = null
    } catch (error) {
      session.fault = asFault(error, 'control')
    } finally {
      this.isBusy = false
    }
  }
}
