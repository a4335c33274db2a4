import { describe, expect, it } from 'vitest'
import { passes } from '../src/people/pageasks'

describe('conditions on a page', () => {
  it('hold of a value, of one of several, and of a box among those that are ticked', () => {
    expect(passes(true, ['yes'])).toBe(true)
    expect(passes(true, ['no'])).toBe(false)
    expect(passes(['Bus', 'Car'], ['Car'])).toBe(true)
    expect(passes('Bus', ['Car', 'Bus'])).toBe(true)
    expect(passes(3, ['3'])).toBe(true)
  })
  it('hold within bounds, both of which belong to them', () => {
    expect(passes({ at_least: 4 }, ['4'])).toBe(true)
    expect(passes({ at_least: 4 }, ['3'])).toBe(false)
    expect(passes({ at_most: 4 }, ['5'])).toBe(false)
    expect(passes({ not: 'Never' }, ['Never'])).toBe(false)
    expect(passes({ at_least: 1 }, ['x'])).toBe(false)
  })
  it('hold of nothing that was not answered', () => {
    expect(passes({ not: 'Never' }, [])).toBe(false)
    expect(passes('', [])).toBe(false)
  })
})
