import { describe, expect, it } from 'vitest'
import { audienceOf, shownTo } from '../src/form/audience'

describe('who may watch from here on', () => {
  const stands = { kind: 'delayed', delay: 5, prompts: true, to: 'members' }

  it('says nothing where nothing was chosen otherwise, so that the server decides', () => {
    expect(audienceOf(stands, 'delayed', 5, 'members')).toBeNull()
    expect(audienceOf({ kind: 'public' }, 'public', 10, 'everyone')).toBeNull()
  })
  it('opens to others what it shows already, and changes nothing else', () => {
    expect(audienceOf(stands, 'delayed', 5, 'link')).toEqual({ ...stands, to: 'link' })
  })
  it('keeps a run of members to its members when something else is shown', () => {
    expect(audienceOf(stands, 'omniscient', 5, 'members')).toEqual({ kind: 'omniscient', to: 'members' })
    expect(audienceOf(stands, 'delayed', 8, 'members')).toEqual({ kind: 'delayed', delay: 8, to: 'members' })
  })
  it('takes one that says nothing for everyone’s, whatever the site has for new ones', () => {
    expect(shownTo({ kind: 'public' })).toBe('everyone')
  })
})
