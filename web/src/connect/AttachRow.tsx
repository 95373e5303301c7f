// Attaches to a program on Go's krt: by the address of its debug document, or as a Pod of the open cluster.
import {useState} from 'react';
import {Button} from '../ui/controls/Button.tsx';
import {Icon} from '../ui/indicators/Icon.tsx';
import './attach-row.css';

export function AttachRow(props: {
  busy: boolean;
  problem: string | null;
  onAttach: (address: string) => void;
}) {
  const [address, setAddress] = useState('');
  const typed = address.trim();
  return (
    <form
      className="attach row"
      aria-label="Attach to a program"
      onSubmit={event => {
        event.preventDefault();
        if (typed !== '' && !props.busy) props.onAttach(typed);
      }}
    >
      <Icon name="eye" size={18} />
      <label className="attach-label" htmlFor="krtz">
        <b>Attach to istiod, kgateway or another program on Go’s krt</b>
        <span>by address, or through the open cluster: istiod, kgateway, pod/NAMESPACE/NAME:PORT</span>
      </label>
      <input
        id="krtz"
        type="text"
        className="attach-address"
        placeholder="http://127.0.0.1:8080/debug/krtz"
        spellCheck={false}
        autoComplete="off"
        value={address}
        onChange={event => setAddress(event.target.value)}
      />
      <Button look="outline" type="submit" disabled={typed === '' || props.busy}>
        {props.busy ? 'Attaching…' : 'Attach'}
      </Button>
      {props.problem === null ? null : (
        <p className="attach-problem" role="alert">
          {props.problem}
        </p>
      )}
    </form>
  );
}
