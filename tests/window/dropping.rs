//! A file that is dropped on the window, as a file manager would: the source's side of the XDND protocol.

use std::fs;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use x11rb::connection::Connection;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    Atom, ClientMessageEvent, ConnectionExt, CreateWindowAux, EventMask, PropMode, SELECTION_NOTIFY_EVENT,
    SelectionNotifyEvent, SelectionRequestEvent, Window, WindowClass,
};
use x11rb::wrapper::ConnectionExt as _;
use x11rb::{COPY_DEPTH_FROM_PARENT, COPY_FROM_PARENT, CURRENT_TIME, NONE};

use crate::desktop::{Desktop, LONE, Start, with_window};

/// The newest version of the protocol.
const VERSION: u32 = 5;

/// Who drags a file over the window.
struct Source<'a> {
    desktop: &'a Desktop,
    window: Window,
    list: Vec<u8>,
}

impl<'a> Source<'a> {
    fn new(desktop: &'a Desktop, path: &Path) -> Self {
        let window = desktop.connection.generate_id().unwrap();
        let (class, look) = (WindowClass::INPUT_OUTPUT, CreateWindowAux::new());
        let made = desktop.connection.create_window(
            COPY_DEPTH_FROM_PARENT,
            window,
            desktop.root,
            0,
            0,
            1,
            1,
            0,
            class,
            COPY_FROM_PARENT,
            &look,
        );
        made.unwrap().check().unwrap();
        Self { desktop, window, list: format!("file://{}\r\n", path.display()).into_bytes() }
    }

    fn atom(&self, name: &str) -> Atom {
        self.desktop.atom(name)
    }

    fn send(&self, kind: &str, [a, b, c, d]: [u32; 4]) {
        let data = [self.window, a, b, c, d];
        let message = ClientMessageEvent::new(32, self.desktop.id, self.atom(kind), data);
        self.desktop.connection.send_event(false, self.desktop.id, EventMask::NO_EVENT, message).unwrap();
        self.desktop.connection.flush().unwrap();
    }

    /// Hands out the list of files to whom asks for it.
    fn answer(&self, request: &SelectionRequestEvent) {
        let connection = &self.desktop.connection;
        let put = connection.change_property8(
            PropMode::REPLACE,
            request.requestor,
            request.property,
            request.target,
            &self.list,
        );
        put.unwrap();
        let notice = SelectionNotifyEvent {
            response_type: SELECTION_NOTIFY_EVENT,
            sequence: 0,
            time: request.time,
            requestor: request.requestor,
            selection: request.selection,
            target: request.target,
            property: request.property,
        };
        connection.send_event(false, request.requestor, EventMask::NO_EVENT, notice).unwrap();
        connection.flush().unwrap();
    }

    /// Waits for a message of the window; answers with its second number. Meanwhile the files are handed out.
    fn reply(&self, kind: &str) -> u32 {
        let kind = self.atom(kind);
        self.desktop.wait("an answer to the drag", || match self.desktop.connection.poll_for_event().unwrap()? {
            Event::SelectionRequest(request) => {
                self.answer(&request);
                None
            }
            Event::ClientMessage(message) if message.type_ == kind => Some(message.data.as_data32()[1]),
            _ => None,
        })
    }

    /// Drags the file over the window and lets go.
    fn drop(&self) {
        let connection = &self.desktop.connection;
        let aware = connection.get_property(false, self.desktop.id, self.atom("XdndAware"), NONE, 0, 1).unwrap();
        assert!(aware.reply().unwrap().value32().unwrap().next().is_some_and(|least| least <= VERSION));
        connection.set_selection_owner(self.window, self.atom("XdndSelection"), CURRENT_TIME).unwrap().check().unwrap();
        self.send("XdndEnter", [VERSION << 24, self.atom("text/uri-list"), NONE, NONE]);
        let place = (400 << 16) | 300;
        // The window asks for the files after the first of them, and answers to each.
        for _ in 0..2 {
            self.send("XdndPosition", [0, place, CURRENT_TIME, self.atom("XdndActionCopy")]);
            assert_eq!(self.reply("XdndStatus") & 1, 1, "the window takes no files");
            sleep(Duration::from_millis(100));
        }
        self.send("XdndDrop", [0, CURRENT_TIME, 0, 0]);
        assert_eq!(self.reply("XdndFinished") & 1, 1, "the window has taken no file");
    }
}

#[test]
fn a_dropped_file_is_opened_and_a_wrong_one_leaves_the_world() {
    with_window(&Start::File(LONE), |desktop| {
        let dropped = |name: &str, text: &str| {
            let path = desktop.folder.path().join(name);
            fs::write(&path, text).unwrap();
            Source::new(desktop, &path).drop();
        };
        dropped("other one.toml", &LONE.replace("Lone", "Other"));
        desktop.saved_until("the dropped scene", |saved| saved.title == "Other");
        dropped("wrong.toml", "version = 1\nnonsense = 7\n");
        sleep(Duration::from_millis(500));
        assert_eq!(desktop.saved().title, "Other", "what can't be opened changes nothing");
    });
}
