import type { Brief } from './record/briefs'
import type { GameDetail, Preset } from './form/detail'
import type { Model } from './form/seats'
import type { Facts, Frame, Json, LatestRow, RunMeta, Said } from './types'

/** One thing that the server found wrong: `path` is such as `config.rows` or `seats.3.params.p`. */
export type ServerFault = Said<'FaultOut'>

/** A refusal by the server, in its own words, or a line that gave no answer (`code` "network"). */
export class ApiError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly status: number,
    /** Everything that is wrong with what was sent, each with its place. */
    readonly faults: readonly ServerFault[] = [],
    /** The refusal whole: some carry what would stand, or what stands already. */
    readonly body: Facts = {},
  ) {
    super(message)
  }
}

export interface Answer<T> {
  body: T
  /** Length of the answer in characters. */
  size: number
}

/** With the tag of what was read: what is changed by it changes nothing that somebody else has changed since. */
export interface Tagged<T> extends Answer<T> {
  tag: string
}

const ROOT = '/api/v1/'
const JOB_MS = 500

/** A request that a worker carries out: how far it is, and where its answer is. */
export type Job = Said<'JobOut'>
export type Heard = (job: Job) => void

/** The answer; where a worker is at it, the one that it gives in the end. */
export async function answerOf(address: string, init: RequestInit = {}, heard?: Heard): Promise<Response> {
  let response = await fetch(address, { credentials: 'same-origin', ...init })
  while (response.status === 202) {
    const job = (await response.json()) as Job
    heard?.(job)
    await new Promise((done) => setTimeout(done, JOB_MS))
    response = await fetch(`${job.address}/answer`, { credentials: 'same-origin' })
  }
  return response
}

export async function ask<T>(path: string, init: RequestInit = {}, heard?: Heard): Promise<Tagged<T>> {
  let response: Response
  let text: string
  try {
    response = await answerOf(ROOT + path, init, heard)
    text = await response.text()
  } catch {
    throw new ApiError('network', '', 0)
  }
  const tag = response.headers.get('ETag') ?? ''
  if (response.status === 204) return { body: null as T, size: 0, tag }
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    body = undefined
  }
  if (response.ok && body !== undefined) return { body: body as T, size: text.length, tag }
  const error = (body as { error?: { code?: string; message?: string; field?: string; faults?: ServerFault[] } } | undefined)?.error
  const message = error?.message ?? `HTTP ${response.status}`
  const faults = error?.faults ?? (error?.field ? [{ path: error.field, message }] : [])
  throw new ApiError(error?.code ?? `http_${response.status}`, message, response.status, faults, (error ?? {}) as Facts)
}

function query(values: Record<string, number | string | null>): string {
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(values)) if (value !== null) search.set(key, String(value))
  const text = search.toString()
  return text ? `?${text}` : ''
}

const run = (id: string): string => `runs/${encodeURIComponent(id)}`

export function fetchSnapshot(id: string, n: number | null, as: number | null) {
  return ask<{ run: RunMeta; frame: Frame | null }>(`${run(id)}/snapshot${query({ n, as })}`)
}

export function fetchFrames(id: string, after: number, limit: number, as: number | null) {
  return ask<{ head: number; frames: Frame[] }>(`${run(id)}/frames${query({ after, limit, as })}`)
}

/** What a run of a folder came to. */
export async function fetchMeasures(id: string): Promise<Facts> {
  return (await ask<Facts>(`${run(id)}/measures`)).body
}

/** Where a run can be had as one file, through the eyes `as`. */
export function replayAddress(id: string, as: number | null): string {
  return `${ROOT}${run(id)}/replay.html${query({ as })}`
}

export async function fetchBriefs(id: string, after: number, limit: number, as: number | null): Promise<Brief[]> {
  return (await ask<{ briefs: Brief[] }>(`${run(id)}/briefs${query({ after, limit, as })}`)).body.briefs
}

/** What came of a run and how, as far as it has been played; null for eyes that do not see all. */
export async function fetchStory(id: string): Promise<Said<'Story'> | null> {
  return (await ask<Said<'Story'> | null>(`${run(id)}/story`)).body
}

/** What spectators may guess of a seat's next decision after a step; null where these eyes are asked nothing. */
export async function fetchGuess(id: string, seat: number, after: number, viewer: string): Promise<Said<'GuessOut'> | null> {
  return (await ask<Said<'GuessOut'> | null>(`${run(id)}/guess${query({ seat, after, viewer })}`)).body
}

export async function makeGuess(id: string, csrf: string, guess: Said<'GuessIn'>): Promise<Said<'GuessOut'> | null> {
  return (await post<Said<'GuessOut'> | null>(`${run(id)}/guess`, csrf, guess)).body
}

/** What models wrote on steps, of each step the latest. */
export async function fetchComments(id: string): Promise<Said<'CommentOut'>[]> {
  return (await ask<Said<'CommentOut'>[]>(`${run(id)}/comments`)).body
}

export async function orderComment(id: string, csrf: string, comment: Said<'CommentIn'>): Promise<Said<'CommentOut'>> {
  return (await post<Said<'CommentOut'>>(`${run(id)}/comments`, csrf, comment)).body
}

/** All events of one kind, page by page. */
export async function fetchEvents(id: string, kind: string): Promise<Said<'EventRow'>[]> {
  const found: Said<'EventRow'>[] = []
  let cursor: string | null = null
  do {
    const page: Said<'EventPage'> = (await ask<Said<'EventPage'>>(`${run(id)}/events${query({ kind, limit: 1000, cursor })}`)).body
    found.push(...page.items)
    cursor = page.next ?? null
  } while (cursor)
  return found
}

export async function fetchRun(id: string, as: number | null): Promise<RunMeta> {
  return (await ask<RunMeta>(`${run(id)}${query({ as })}`)).body
}

export async function fetchRuns(limit: number): Promise<RunMeta[]> {
  const { body } = await ask<RunMeta[] | { runs: RunMeta[] }>(`runs${query({ limit })}`)
  return Array.isArray(body) ? body : body.runs
}

/** The latest, those of one experiment as one row. */
export async function fetchLatest(limit: number): Promise<LatestRow[]> {
  return (await ask<LatestRow[]>(`runs/latest${query({ limit })}`)).body
}

export type ControlAction = 'play' | 'pause' | 'step' | 'stop' | 'pace'

/** What goes with an order: `pace` with pace; `steps` with step, which else goes on to the end of the round. */
export interface ControlMore {
  pace?: number
  steps?: number
}

export async function control(id: string, csrf: string, action: ControlAction, more: ControlMore = {}): Promise<RunMeta> {
  return (await post<RunMeta>(`${run(id)}/control`, csrf, { action, ...more })).body
}

export async function startRun(csrf: string, scenario: string, pace: number, more: Partial<NewRun> = {}): Promise<RunMeta> {
  return (await post<RunMeta>('runs', csrf, { scenario, pace, ...more })).body
}

export interface NewRun {
  scenario: string
  condition: string | null
  config: Facts
  seats: Record<string, Json>
  /** In digits: it may be more than a number of JavaScript can hold. */
  seed: string | null
  pace: number
  audience: Facts
  limits?: Facts
  /** Terms for people, where a seat is a person's. */
  people?: Facts
}

export async function createRun(csrf: string, wanted: NewRun): Promise<RunMeta> {
  return (await send<RunMeta>('runs', csrf, runText(wanted))).body
}

function runText({ seed, ...rest }: NewRun): string {
  const text = JSON.stringify(rest)
  return seed === null ? text : `${text.slice(0, -1)},"seed":${BigInt(seed)}}`
}


export async function forkRun(id: string, csrf: string, wanted: Omit<Said<'ForkIn'>, 'start'>): Promise<RunMeta> {
  return (await post<RunMeta>(`${run(id)}/fork`, csrf, wanted)).body
}

/** Likely figures; null: unknown. */
export type Estimate = Said<'EstimateOut'>

export async function estimateRun(csrf: string, wanted: NewRun): Promise<Estimate> {
  return (await send<Estimate>('estimate', csrf, runText(wanted))).body
}

/** The site's named models; for operators. */
export async function fetchModels(): Promise<Model[]> {
  return (await ask<Model[]>('agents')).body
}

export async function fetchPreset(game: string, name: string, condition: string): Promise<Preset> {
  return (await ask<Preset>(`games/${encodeURIComponent(game)}/presets/${encodeURIComponent(name)}${query({ condition })}`)).body
}

export type Spent = Said<'SpentOut'>
export type SeatMeter = Said<'SeatMeterOut'>
export type Meter = Said<'MeterOut'>

export async function fetchMeter(id: string, as: number | null): Promise<Meter> {
  return (await ask<Meter>(`${run(id)}/meter${query({ as })}`)).body
}

/** What a run came to when it was played once more. */
export type Verdict = Said<'VerdictOut'>

export async function checkRun(id: string, csrf: string, how: 'verify' | 'rerun', heard: Heard): Promise<Verdict> {
  return (await post<Verdict>(`${run(id)}/${how}`, csrf, {}, heard)).body
}

/** One call of a provider, as its prompt went out and its reply came. */
export type Call = Said<'CallOut'>
export type Calls = Said<'CallsOut'>

export async function fetchCalls(id: string, step: number, seat: number, as: number | null): Promise<Calls> {
  return (await ask<Calls>(`${run(id)}/calls${query({ step, seat, as })}`)).body
}

export async function setLimits(id: string, csrf: string, limits: Meter['limits']): Promise<RunMeta> {
  return (await post<RunMeta>(`${run(id)}/control`, csrf, { action: 'limits', limits })).body
}

export async function fetchGame(slug: string): Promise<GameDetail> {
  return (await ask<GameDetail>(`games/${encodeURIComponent(slug)}`)).body
}

export function post<T>(path: string, csrf: string, body: unknown, heard?: Heard): Promise<Answer<T>> {
  return send<T>(path, csrf, JSON.stringify(body), 'POST', '', heard)
}

export async function read<T>(path: string, heard?: Heard): Promise<T> {
  return (await ask<T>(path, {}, heard)).body
}

/** The same with the tag of what was read. */
export function readTagged<T>(path: string): Promise<Tagged<T>> {
  return ask<T>(path)
}

/** Any other change than a POST; with the tag of what was read, refused as `stale` where that is no longer what stands. */
export function request<T>(path: string, csrf: string, method: 'PUT' | 'PATCH' | 'DELETE', body: unknown = null, tag = ''): Promise<Answer<T>> {
  return send<T>(path, csrf, JSON.stringify(body), method, tag)
}

function send<T>(path: string, csrf: string, body: string, method = 'POST', tag = '', heard?: Heard): Promise<Answer<T>> {
  const headers = { 'Content-Type': 'application/json', 'X-CSRFToken': csrf, ...(tag ? { 'If-Match': tag } : {}) }
  return ask<T>(path, { method, headers, body }, heard)
}

export function openSocket(id: string, after: number, as: number | null): WebSocket {
  return new WebSocket(socketAddress(`/ws/runs/${encodeURIComponent(id)}/${query({ after, as })}`))
}

export function socketAddress(path: string): string {
  return `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}${path}`
}
