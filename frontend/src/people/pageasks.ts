/** What scripts add to the questions of a page: those that hang on an answer come and go, and a sum says what is left. */
type Scalar = string | number | boolean
interface Bounds {
  at_least?: number
  at_most?: number
  not?: Scalar | Scalar[]
}
export type Test = Scalar | Scalar[] | Bounds

const plain = (value: Scalar): string => (value === true ? 'yes' : value === false ? 'no' : String(value))
const isOne = (wanted: Scalar | Scalar[], given: string[]): boolean => [wanted].flat().some((one) => given.includes(plain(one)))

/** Whether what stands in a question's fields passes a test; nothing holds of an empty one. */
export function passes(test: Test, given: string[]): boolean {
  if (!given.length) return false
  if (typeof test !== 'object' || Array.isArray(test)) return isOne(test, given)
  const number = Number(given[0])
  if ((test.at_least !== undefined || test.at_most !== undefined) && Number.isNaN(number)) return false
  return !(number < (test.at_least ?? -Infinity)) && !(number > (test.at_most ?? Infinity)) && !(test.not !== undefined && isOne(test.not, given))
}

/** What is given to a question: its field, or the words of its ticked boxes. */
function givenTo(form: HTMLFormElement, name: string): string[] {
  const own = new FormData(form).getAll(name).map(String)
  const boxes = [...form.querySelectorAll<HTMLInputElement>(`input[type=checkbox][name^="${CSS.escape(name)}."]:checked`)]
  return [...own, ...boxes.map((box) => box.dataset.value ?? '')].filter((one) => one.trim() !== '')
}

/** Shows a question where its conditions hold, and only then; a hidden one is not sent. */
function conditions(form: HTMLFormElement): void {
  for (const place of form.querySelectorAll<HTMLFieldSetElement>('[data-if]')) {
    const tests = Object.entries(JSON.parse(place.dataset.if ?? '{}') as Record<string, Test>)
    place.hidden = place.disabled = !tests.every(([name, test]) => passes(test, givenTo(form, name)))
  }
}

function sums(form: HTMLFormElement): void {
  for (const place of form.querySelectorAll<HTMLElement>('[data-total]')) {
    const given = [...place.querySelectorAll('input')].reduce((sum, field) => sum + (Number(field.value) || 0), 0)
    const said = place.querySelector<HTMLElement>('[data-sum]')
    const left = said?.querySelector('output')
    if (!said || !left) continue
    said.hidden = false
    left.textContent = String(Math.round((Number(place.dataset.total) - given) * 1e6) / 1e6)
  }
}

export function watchQuestions(form: HTMLFormElement): void {
  const again = (): void => {
    conditions(form)
    sums(form)
  }
  form.addEventListener('input', again)
  form.addEventListener('change', again)
  again()
}
