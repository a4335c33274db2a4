import { learn } from '../src/words'

// As a page does before it says anything.
await Promise.all([learn('en'), learn('zh')])
