import { expect, test } from 'vitest'
import expected from '../../tests/core/words/books.json'
import en from '../../tests/core/words/en.yaml'
import zh from '../../tests/core/words/zh.yaml'

test('a file of words is read as by the server', () => expect({ en, zh }).toEqual(expected))
