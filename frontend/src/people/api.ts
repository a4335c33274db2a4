import { post, read, socketAddress } from '../api'
import type { Facts } from '../types'
import type { Answer, Invitation, Move, People, PeopleOrder, Play, SeatNews, Tried } from './types'

const play = (id: string): string => `play/${encodeURIComponent(id)}`

export const fetchInvitation = (code: string): Promise<Invitation> => read<Invitation>(`join/${encodeURIComponent(code)}`)

export async function join(csrf: string, code: string, label: string, language: 'en' | 'zh'): Promise<{ id: string; seat: number; address: string }> {
  return (await post<{ id: string; seat: number; address: string }>(`join/${encodeURIComponent(code)}`, csrf, { label, language, consent: true })).body
}

/** What the holder of a seat may ask for, with the tab that it sits in. `id` is the participant's, not the run's. */
export class Door {
  constructor(
    readonly id: string,
    readonly csrf: string,
    readonly tab: string,
  ) {}

  /** The seat as it stands. */
  play = (): Promise<Play> => read<Play>(`${play(this.id)}?tab=${encodeURIComponent(this.tab)}`)
  start = (): Promise<Play> => this.#post<Play>('start', { tab: this.tab })
  take = (): Promise<Play> => this.#post<Play>('take', { tab: this.tab })
  leave = (): Promise<Play> => this.#post<Play>('leave', {})
  speak = (language: 'en' | 'zh'): Promise<unknown> => this.#post('language', { language })
  halt = (): Promise<SeatNews> => this.#post<SeatNews>('halt', { tab: this.tab })
  beat = (active: boolean): Promise<Pick<SeatNews, 'holds' | 'state'>> => this.#post('beat', { tab: this.tab, active })
  attempt = (step: number, answer: Answer): Promise<Tried> => this.#post<Tried>('try', { step, ...answer })
  move = (id: string, step: number, answer: Answer): Promise<Move & { step: number }> => this.#post('moves', { id, tab: this.tab, step, ...answer })

  socket(after: number): WebSocket {
    return new WebSocket(socketAddress(`/ws/play/${encodeURIComponent(this.id)}/?after=${after}&tab=${encodeURIComponent(this.tab)}`))
  }

  async #post<T>(what: string, body: unknown): Promise<T> {
    return (await post<T>(`${play(this.id)}/${what}`, this.csrf, body)).body
  }
}

export const fetchPeople = (run: string): Promise<People> => read<People>(`runs/${encodeURIComponent(run)}/people`)

export async function orderPeople(run: string, csrf: string, order: PeopleOrder): Promise<People> {
  return (await post<People>(`runs/${encodeURIComponent(run)}/people`, csrf, order)).body
}

export async function handOver(run: string, csrf: string, seat: number, agent: Facts, audience: Facts | null): Promise<void> {
  await post(`runs/${encodeURIComponent(run)}/seats/${seat}`, csrf, { agent, audience })
}
