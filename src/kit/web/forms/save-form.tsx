import type { ReactNode } from 'react';
import { type FieldValues, type UseFormReturn, useFormState } from 'react-hook-form';
import { Banner } from '../feedback/banner.tsx';
import { Button } from './button.tsx';
import { Form, type FormProps } from './form.tsx';
import { SaveBar } from './save-bar.tsx';

export interface SaveFormProps<Values extends FieldValues> {
  /** The accessible name. */
  readonly label: string;
  /** What `useKeptForm` or `useVersionedEdit` returns. */
  readonly state: {
    readonly form: UseFormReturn<Values>;
    readonly formProps: FormProps;
    readonly isSending: boolean;
    readonly failure: string | null;
    readonly dismiss: () => void;
  };
  /** The label of the button that sends it: 'Save Changes'. */
  readonly submit: string;
  /** The button that leaves it. */
  readonly cancel: ReactNode;
  /** An action at the far end ('Clear'). */
  readonly apart?: ReactNode;
  /** The fields. */
  readonly children: ReactNode;
}

/** The form of a page: a failure, which keeps what was typed, the fields, and the bar with its actions. */
export function SaveForm<Values extends FieldValues>(props: SaveFormProps<Values>) {
  const { form, formProps, isSending, failure, dismiss } = props.state;
  const { isValid } = useFormState({ control: form.control });
  return (
    <Form {...formProps} aria-label={props.label}>
      <Banner onDismiss={dismiss} more="What you wrote is still here.">
        {failure}
      </Banner>
      {props.children}
      <SaveBar
        main={
          <Button type="submit" variant="primary" disabled={!isValid} busy={isSending}>
            {props.submit}
          </Button>
        }
        apart={props.apart}
      >
        {props.cancel}
      </SaveBar>
    </Form>
  );
}
