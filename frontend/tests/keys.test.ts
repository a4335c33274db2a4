import { expect, test } from 'vitest'
import { command, keepsKey } from '../src/keys'

const press = (key: string, more: object = {}) => ({ key, shiftKey: false, ctrlKey: false, altKey: false, metaKey: false, ...more })

test.each([
  ['ArrowLeft', {}, { do: 'round', by: -1 }],
  ['ArrowRight', { shiftKey: true }, { do: 'round', by: 10 }],
  ['k', {}, { do: 'round', by: -1 }],
  ['j', {}, { do: 'round', by: 1 }],
  ['Home', {}, { do: 'first' }],
  ['0', {}, { do: 'first' }],
  ['End', {}, { do: 'live' }],
  ['$', { shiftKey: true }, { do: 'live' }],
  ['l', {}, { do: 'live' }],
  [' ', {}, { do: 'toggle' }],
  ['[', {}, { do: 'mark', direction: -1 }],
  [']', {}, { do: 'mark', direction: 1 }],
  ['<', { shiftKey: true }, { do: 'speed', by: -1 }],
  ['>', { shiftKey: true }, { do: 'speed', by: 1 }],
  ['a', {}, { do: 'eyes' }],
  ['Escape', {}, { do: 'everyone' }],
  ['f', {}, { do: 'fullscreen' }],
  ['?', { shiftKey: true }, { do: 'help' }],
  ['p', {}, { do: 'step', by: -1 }],
  ['n', {}, { do: 'step', by: 1 }],
  ['{', { shiftKey: true }, { do: 'sibling', by: -1 }],
  ['}', { shiftKey: true }, { do: 'sibling', by: 1 }],
  ['q', {}, null],
])('%s %j means %j', (key, more, meant) => {
  expect(command(press(key, more))).toEqual(meant)
})

test.each(['ctrlKey', 'altKey', 'metaKey'])('nothing is taken with %s', (modifier) => {
  expect(command(press('ArrowLeft', { [modifier]: true }))).toBeNull()
})

test('after A a digit names a seat and is no command of its own', () => {
  expect(command(press('0'), true)).toEqual({ do: 'digit', digit: 0 })
  expect(command(press('0'))).toEqual({ do: 'first' })
})

test('a text field keeps its keys, a clicked button does not', () => {
  expect(keepsKey({ tagName: 'INPUT', type: 'search' }, 'l')).toBe(true)
  expect(keepsKey({ tagName: 'INPUT', type: 'checkbox' }, ' ')).toBe(false)
  expect(keepsKey({ tagName: 'BUTTON' }, ' ')).toBe(false)
  expect(keepsKey({ tagName: 'BUTTON', role: 'tab' }, 'ArrowLeft')).toBe(true)
  expect(keepsKey(null, 'l')).toBe(false)
})
